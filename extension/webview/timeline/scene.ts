// What is drawn of a profile, and when: the view's range, the tracks' layout and the spans in
// sight, drawn at most once a frame and only when something changed.

import type { Timeline } from "../../src/protocol";
import type { Asking } from "./asking";
import { type Found, spanAt } from "./model/finding";
import { type Layout, layOut, ROW_PX, rowTop, trackKey } from "./model/layout";
import { Palette } from "./model/palette";
import { Scale } from "./model/scale";
import type { Spans } from "./model/spans";
import { ruler } from "./model/ticks";
import type { Piece } from "./model/windows";
import { CanvasRenderer } from "./render/canvas";
import { type Box, rulerHeight } from "./render/renderer";
import { readTheme } from "./render/theme";
import { Stage } from "./view/stage";
import { Viewport } from "./viewport";
import { WindowLoader } from "./windowLoader";

const FLASH_MS = 900;

/** What happens around a scene. */
export interface SceneEvents {
  /** The spans in sight are known, and about to be drawn: which of them stand out? */
  readonly outlines: (pieces: readonly Piece<Spans>[]) => {
    readonly selected: Box | undefined;
    readonly hovered: Box | undefined;
  };
  /** A frame was drawn. */
  readonly drawn: () => void;
}

export class Scene {
  readonly stage: Stage;
  readonly viewport: Viewport;
  readonly loader: WindowLoader;
  readonly collapsed: Set<string>;
  /** Whether the profile's times are not all measured. */
  readonly predicted: boolean;
  layout: Layout;
  pieces: readonly Piece<Spans>[] = [];
  private readonly context: CanvasRenderingContext2D;
  private readonly renderer: CanvasRenderer;
  private readonly rulerPx: number;
  private readonly reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  private isFrameAwaited = false;
  private isDisposed = false;
  private flashEndsMs = 0;

  constructor(
    private readonly timeline: Timeline,
    collapsed: readonly string[],
    asking: Asking,
    private readonly events: SceneEvents,
  ) {
    this.rulerPx = rulerHeight(timeline.steps);
    this.predicted = timeline.timeKind !== "measured";
    this.collapsed = new Set(collapsed);
    this.layout = layOut(timeline.tracks, this.collapsed);
    const isMotionReduced = (): boolean => this.reducedMotion.matches;
    this.viewport = new Viewport(timeline.startNs, timeline.endNs, isMotionReduced, this.changed);
    this.loader = new WindowLoader(timeline.directory, this.viewport.bounds, asking, this.changed);
    const label = `Timeline of ${timeline.name}`;
    this.stage = new Stage(label, this.rulerPx, this.predicted, {
      scrolled: this.changed,
      resized: this.changed,
      toggle: this.toggle,
    });
    this.context = contextOf(this.stage.canvas);
    this.renderer = new CanvasRenderer(this.context);
    this.stage.show(this.layout);
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
    const palette = new Palette(this.timeline.categories, theme.kind, theme.background);
    this.renderer.useTheme(theme, palette);
    this.changed();
    return palette;
  }

  /** The span at a point of the canvas. */
  spanAt(x: number, y: number): Found | undefined {
    return y < this.rulerPx
      ? undefined
      : spanAt(this.pieces, this.layout, this.scale, x, y - this.rulerPx + this.stage.scrollTop);
  }

  /** Opens what a row is folded into, and scrolls to it. */
  bringIntoView(box: Box): void {
    const track = this.timeline.tracks.find((other) => other.track === box.track);
    if (track !== undefined) {
      this.open(track.kind);
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
    this.flashEndsMs = this.reducedMotion.matches ? 0 : performance.now() + FLASH_MS;
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
    this.layout = layOut(this.timeline.tracks, this.collapsed);
    this.stage.show(this.layout);
    this.changed();
  };

  private readonly frame = (nowMs: number): void => {
    this.isFrameAwaited = false;
    if (this.isDisposed) {
      return;
    }
    const { stage, viewport } = this;
    this.renderer.resize(stage.widthPx, stage.heightPx, devicePixelRatio);
    viewport.advance(nowMs);
    const scale = this.scale;
    this.pieces = this.loader.pieces(viewport.range, stage.widthPx);
    const marks = ruler(scale, this.predicted);
    stage.base = marks.base;
    const flash = Math.max(0, this.flashEndsMs - nowMs) / FLASH_MS;
    this.renderer.draw({
      scale,
      layout: this.layout,
      scrollTop: stage.scrollTop,
      ruler: marks,
      steps: this.timeline.steps,
      pieces: this.pieces,
      flash,
      ...this.events.outlines(this.pieces),
    });
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
