// What is drawn of a profile, and when: the view's range, the tracks' layout and the spans in
// sight, drawn at most once a frame and only when something changed.

import type { Find, Timeline } from "../../src/protocol";
import type { TimelineAsking } from "./asking";
import { type Loaded, Layers } from "./layers";
import { askedColour, type Colouring, isColouring, keyOf } from "./model/colouring";
import { type Found, spanAt } from "./model/finding";
import { type Grouping, groupTracks, isGrouping, type TrackGroup } from "./model/grouping";
import { blockAt, type Layout, layOut, ROW_PX, rowTop, trackKey } from "./model/layout";
import { Palette } from "./model/palette";
import type { SavedView } from "./model/savedViews";
import { Scale } from "./model/scale";
import type { Spans } from "./model/spans";
import { ruler } from "./model/ticks";
import type { Piece } from "./model/windows";
import type { Seen } from "./pictureFiles";
import { CanvasRenderer } from "./render/canvas";
import { counterAt, levelAt } from "./render/pixelDrawing";
import { type Box, type Frame, type Marks, type Renderer, rulerHeight } from "./render/renderer";
import { readTheme } from "./render/theme";
import { isMotionUnwelcome } from "../page/motion";
import { Stage } from "./view/stage";
import { Viewport } from "./viewport";

const FLASH_MS = 900;

/** What happens around a scene. */
export interface SceneEvents {
  /** The spans in sight are known, and about to be drawn: what stands out? */
  readonly marks: (pieces: readonly Piece<Spans>[]) => Marks;
  /** A frame was drawn. */
  readonly drawn: () => void;
}

const NOTHING: Loaded = { pieces: [], found: undefined, levels: [], counters: [] };

export class Scene {
  readonly stage: Stage;
  readonly viewport: Viewport;
  readonly collapsed: Set<string>;
  /** Whether the profile's times are not all measured. */
  readonly predicted: boolean;
  grouping: Grouping = "source";
  colouring: Colouring = "category";
  layout: Layout;
  private groups: readonly TrackGroup[];
  private loaded = NOTHING;
  private finding: Find | undefined;
  private readonly layers: Layers;
  private readonly context: CanvasRenderingContext2D;
  private readonly renderer: Renderer;
  private readonly rulerPx: number;
  private readonly keys = new Map<string, number>();
  private drawn: Frame | undefined;
  private isFrameAwaited = false;
  private isDisposed = false;
  private flashEndsMs = 0;

  constructor(
    private readonly timeline: Timeline,
    saved: SavedView | undefined,
    asking: TimelineAsking,
    private readonly events: SceneEvents,
  ) {
    this.rulerPx = rulerHeight(timeline.steps);
    this.predicted = timeline.timeKind !== "measured";
    this.collapsed = new Set(saved?.collapsed);
    if (isGrouping(saved?.grouping)) this.grouping = saved.grouping;
    if (isColouring(saved?.colouring)) this.colouring = saved.colouring;
    this.groups = groupTracks(timeline.tracks, this.grouping, this.predicted);
    this.layout = layOut(this.groups, timeline.counters, this.collapsed);
    this.viewport = new Viewport(timeline.startNs, timeline.endNs, isMotionUnwelcome, this.changed);
    this.layers = new Layers(timeline, this.viewport.bounds, asking, this.changed);
    this.layers.colour(askedColour(this.colouring), undefined);
    this.layers.fold(this.layout);
    const label = `Timeline of ${timeline.name}`;
    this.stage = new Stage(label, this.rulerPx, {
      scrolled: this.changed,
      resized: this.changed,
      toggle: this.toggle,
    });
    this.context = contextOf(this.stage.canvas);
    this.renderer = new CanvasRenderer(this.context);
    this.stage.show(this.layout);
  }

  get pieces(): readonly Piece<Spans>[] {
    return this.loaded.pieces;
  }

  /** Why some of what was asked for last did not come, as a sentence. */
  get problem(): string | undefined {
    return this.layers.problem;
  }

  retry(): void {
    this.layers.retry();
  }

  /** Puts tracks together by something else. */
  group(grouping: Grouping): void {
    this.grouping = grouping;
    this.groups = groupTracks(this.timeline.tracks, grouping, this.predicted);
    this.arrange();
  }

  /** Colours spans by something else, from the next theme on. */
  colour(colouring: Colouring): void {
    this.colouring = colouring;
    this.keys.clear();
    this.layers.colour(askedColour(colouring), this.finding);
  }

  /** Shows what is found over the rest; undefined shows everything alike. */
  find(find: Find | undefined): void {
    this.finding = find;
    this.layers.find(find);
  }

  /** Something that is drawn is not as it was. */
  readonly changed = (): void => {
    if (!this.isFrameAwaited && !this.isDisposed) {
      this.isFrameAwaited = true;
      requestAnimationFrame(this.frame);
    }
  };

  /** Takes on the editor's theme; returns the colours spans have in it. */
  useTheme(page: HTMLElement): Palette {
    const theme = readTheme(page, this.context);
    const { categories, tracks } = this.timeline;
    const palette = new Palette(categories, theme.kind, theme.background, this.keys);
    this.renderer.useTheme(theme, palette, keyOf(this.colouring, tracks));
    this.changed();
    return palette;
  }

  /** The span at a point of the canvas. */
  spanAt(x: number, y: number): Found | undefined {
    return y < this.rulerPx
      ? undefined
      : spanAt(this.pieces, this.layout, this.scale, x, this.layoutY(y));
  }

  /** The block at a height of the canvas, and the time at a place. */
  placeAt(x: number, y: number) {
    const block = y < this.rulerPx ? undefined : blockAt(this.layout, this.layoutY(y));
    return { block, ns: this.scale.toNs(x) };
  }

  /** A height of the canvas as one of the layout. */
  layoutY(y: number): number {
    return y - this.rulerPx + this.stage.scrollTop;
  }

  /** A quantity's mean and highest value where a time is drawn; undefined where not known. */
  counterAt(counter: number, ns: number) {
    const mean = counterAt(this.loaded, counter, ns, "mean");
    const highest = counterAt(this.loaded, counter, ns, "highest");
    return mean === undefined || highest === undefined ? undefined : { mean, highest };
  }

  /** How busy a folded group is where a time is drawn, 0 to 1; undefined where not known. */
  levelAt(key: string, ns: number): number | undefined {
    return levelAt(this.loaded, key, ns);
  }

  /** What is seen, to be drawn on something else; undefined before anything is. */
  get seen(): Seen | undefined {
    const { drawn: frame, stage, rulerPx, renderer } = this;
    if (frame === undefined) return undefined;
    const { gutterPx: widthPx, base } = stage;
    return {
      title: `Timeline of ${this.timeline.name}`,
      frame,
      gutter: { widthPx, rulerPx, base, scrollTop: frame.scrollTop },
      surface: (context, ratio) => {
        const surface = renderer.surfaceOf(context, ratio);
        if (surface === undefined) throw new Error("The timeline is not drawn yet.");
        return surface;
      },
    };
  }

  /** Opens what a row is folded into, and scrolls to it. */
  bringIntoView(box: Box): void {
    const track = this.timeline.tracks.find((other) => other.track === box.track);
    if (track !== undefined) {
      const group = this.groups.find(({ tracks }) => tracks.includes(track));
      if (group !== undefined) this.open(group.key);
      if (box.depth > 0) {
        this.open(trackKey(track));
      }
    }
    this.scrollTo(box);
  }

  /** Scrolls to a row if it is shown at all. */
  scrollTo(box: Box): void {
    const top = rowTop(this.layout, box.track, box.depth);
    if (top !== undefined) {
      this.stage.reveal(top, ROW_PX);
    }
  }

  /** Draws the eye to the selected span for a moment. */
  flash(): void {
    this.flashEndsMs = isMotionUnwelcome() ? 0 : performance.now() + FLASH_MS;
    this.changed();
  }

  dispose(): void {
    this.isDisposed = true;
    this.stage.dispose();
  }

  private get scale(): Scale {
    return new Scale(this.viewport.range, this.stage.widthPx);
  }

  private open(key: string): void {
    if (this.collapsed.has(key)) {
      this.toggle(key);
    }
  }

  private readonly toggle = (key: string): void => {
    if (!this.collapsed.delete(key)) {
      this.collapsed.add(key);
    }
    this.arrange();
  };

  private arrange(): void {
    this.layout = layOut(this.groups, this.timeline.counters, this.collapsed);
    this.layers.fold(this.layout);
    this.stage.show(this.layout);
    this.changed();
  }

  private readonly frame = (nowMs: number): void => {
    this.isFrameAwaited = false;
    if (this.isDisposed) {
      return;
    }
    const { stage, viewport } = this;
    this.renderer.resize(stage.widthPx, stage.heightPx, devicePixelRatio);
    viewport.advance(nowMs);
    const scale = this.scale;
    this.loaded = this.layers.of(viewport.range, stage.widthPx);
    const marks = ruler(scale, this.predicted);
    stage.base = marks.base;
    const flash = Math.max(0, this.flashEndsMs - nowMs) / FLASH_MS;
    const drawn: Frame = {
      scale,
      layout: this.layout,
      scrollTop: stage.scrollTop,
      ruler: marks,
      steps: this.timeline.steps,
      ...this.loaded,
      flash,
      ...this.events.marks(this.pieces),
    };
    this.drawn = drawn;
    this.renderer.draw(drawn);
    this.events.drawn();
    if (viewport.isMoving || flash > 0) {
      this.changed();
    }
  };
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext("2d");
  if (context === null) {
    throw new Error("The timeline cannot be drawn: this window has no 2-D canvas.");
  }
  return context;
}
