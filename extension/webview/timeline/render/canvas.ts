// The renderer: a 2-D canvas, drawn in device pixels so that edges are sharp at any ratio.

import { rowTop, ROW_PX } from "../model/layout";
import type { KeyOf } from "../model/colouring";
import type { Palette } from "../model/palette";
import { at, nameOf, type Spans } from "../model/spans";
import type { Piece } from "../model/windows";
import { type Batches, batchByColour } from "./batches";
import { Labels } from "./labels";
import { drawArea, drawLinks, drawMarkers } from "./overlayDrawing";
import { drawCounters, drawLevels } from "./pixelDrawing";
import { type Box, type Frame, type Renderer, rulerHeight } from "./renderer";
import { drawRuler, drawSteps } from "./rulerDrawing";
import type { Theme } from "./theme";

const FONT_PX = 11;
/** Rows have air below them, and labels at both ends. */
const ROW_GAP_PX = 1;
const LABEL_AIR_PX = 5;
const NARROWEST_LABEL_PX = 30;

/** A canvas, and the measures and colours everything on it is drawn by. */
export interface Surface {
  readonly context: CanvasRenderingContext2D;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Device pixels a CSS pixel. */
  readonly ratio: number;
  readonly theme: Theme;
  readonly labels: Labels;
}

/** How spans are coloured under a theme. */
interface Look {
  readonly theme: Theme;
  readonly palette: Palette;
  readonly keyOf: KeyOf;
}

/** How much of the rest is left where something was looked for. */
const PALE = 0.25;

export class CanvasRenderer implements Renderer {
  private size = { widthPx: 1, heightPx: 1, ratio: 1 };
  private look: Look | undefined;
  private labels: Labels;
  private batches = new WeakMap<Spans, Batches>();

  constructor(private readonly context: CanvasRenderingContext2D) {
    this.labels = this.newLabels();
  }

  resize(widthPx: number, heightPx: number, devicePixelRatio: number): void {
    const { size } = this;
    const isSame = size.widthPx === widthPx && size.heightPx === heightPx;
    if (isSame && size.ratio === devicePixelRatio) {
      return;
    }
    this.size = { widthPx, heightPx, ratio: devicePixelRatio };
    this.context.canvas.width = Math.round(widthPx * devicePixelRatio);
    this.context.canvas.height = Math.round(heightPx * devicePixelRatio);
    this.context.canvas.style.height = `${heightPx}px`;
    this.labels = this.newLabels();
  }

  useTheme(theme: Theme, palette: Palette, keyOf: KeyOf): void {
    this.look = { theme, palette, keyOf };
    this.batches = new WeakMap();
    this.labels = this.newLabels();
  }

  draw(frame: Frame): void {
    if (this.look === undefined) {
      return;
    }
    const { context, labels } = this;
    const { theme } = this.look;
    const surface: Surface = { context, labels, theme, ...this.size };
    const { width, height } = context.canvas;
    context.clearRect(0, 0, width, height);
    context.font = this.font();
    context.textBaseline = "middle";
    const top = rulerHeight(frame.steps);
    context.save();
    context.beginPath();
    context.rect(0, Math.round(top * surface.ratio), width, height);
    context.clip();
    drawSteps(surface, frame, top);
    drawLevels(surface, frame);
    drawCounters(surface, frame);
    context.globalAlpha = frame.found === undefined ? 1 : PALE;
    for (const piece of frame.pieces) {
      this.drawPiece(surface, frame, piece, this.look);
    }
    context.globalAlpha = 1;
    for (const piece of frame.found ?? []) {
      this.drawPiece(surface, frame, piece, this.look);
    }
    drawArea(surface, frame);
    drawLinks(surface, frame);
    for (const [box, weightPx] of [
      [frame.hovered, 1],
      [frame.selected, 2 + 3 * frame.flash],
    ] as const) {
      if (box !== undefined) {
        outline(surface, frame, box, weightPx);
      }
    }
    context.restore();
    drawRuler(surface, frame);
    drawMarkers(surface, frame);
  }

  private drawPiece(surface: Surface, frame: Frame, piece: Piece<Spans>, look: Look): void {
    const { context, ratio } = surface;
    const { palette } = look;
    const spans = piece.window.content;
    const { order, starts } = this.batchesOf(spans, look);
    const { fromNs } = frame.scale.range;
    const devicePerNs = frame.scale.pxPerNs * ratio;
    const left = Math.round(frame.scale.toPx(piece.fromNs) * ratio);
    const right = Math.round(frame.scale.toPx(piece.toNs) * ratio);
    const rows = new RowTops(frame, surface);
    const rowHeight = Math.round((ROW_PX - ROW_GAP_PX) * ratio);
    const narrowestLabel = NARROWEST_LABEL_PX * ratio;
    for (let colour = 0; colour + 1 < starts.length; colour += 1) {
      const end = at(starts, colour + 1);
      let index = at(starts, colour);
      if (index === end) {
        continue;
      }
      context.fillStyle = palette.fills[colour] ?? "";
      const labelled: Labelled[] = [];
      for (; index < end; index += 1) {
        const span = at(order, index);
        const startNs = at(spans.startNs, span) - fromNs;
        const startX = startNs * devicePerNs;
        const endX = (startNs + at(spans.durationNs, span)) * devicePerNs;
        if (endX < left || startX > right) {
          continue;
        }
        const y = rows.top(at(spans.track, span), at(spans.depth, span));
        if (y === undefined) {
          continue;
        }
        const x = Math.max(Math.round(startX), left);
        const width = Math.min(Math.round(endX), right) - x;
        // Neighbours stay apart where they are wide enough to spare a pixel.
        context.fillRect(x, y, width > 3 ? width - 1 : Math.max(width, 1), rowHeight);
        if (width >= narrowestLabel) {
          labelled.push({ span, x: Math.max(x, 0), end: x + width, y: y + rowHeight / 2 });
        }
      }
      context.fillStyle = palette.texts[colour] ?? "";
      const air = LABEL_AIR_PX * ratio;
      for (const { span, x, end, y } of labelled) {
        context.fillText(surface.labels.fit(nameOf(spans, span), end - x - 2 * air), x + air, y);
      }
    }
  }

  private batchesOf(spans: Spans, { palette, keyOf }: Look): Batches {
    let batches = this.batches.get(spans);
    if (batches === undefined) {
      batches = batchByColour(spans, palette, keyOf);
      this.batches.set(spans, batches);
    }
    return batches;
  }

  private font(): string {
    return `${FONT_PX * this.size.ratio}px ${this.look?.theme.font ?? "sans-serif"}`;
  }

  private newLabels(): Labels {
    return new Labels((text) => {
      this.context.font = this.font();
      return this.context.measureText(text).width;
    });
  }
}

interface Labelled {
  readonly span: number;
  readonly x: number;
  readonly end: number;
  readonly y: number;
}

/** The tops of the rows in sight, in device pixels: looked up for every span of every frame. */
class RowTops {
  private readonly tops: (readonly number[] | undefined)[] = [];

  constructor(frame: Frame, { ratio, heightPx }: Surface) {
    const offset = rulerHeight(frame.steps) - frame.scrollTop;
    for (const [track, block] of frame.layout.byTrack) {
      const top = block.top + offset;
      if (top < heightPx && top + block.height > 0) {
        this.tops[track] = Array.from({ length: block.rows }, (_, depth) =>
          Math.round((top + depth * ROW_PX) * ratio),
        );
      }
    }
  }

  top(track: number, depth: number): number | undefined {
    return this.tops[track]?.[depth];
  }
}

function outline({ context, ratio, theme }: Surface, frame: Frame, box: Box, weightPx: number) {
  const top = rowTop(frame.layout, box.track, box.depth);
  if (top === undefined) {
    return;
  }
  const weight = Math.max(1, Math.round(weightPx * ratio));
  // Ends far outside are drawn just outside: a canvas is not exact at such distances.
  const nearLeft = Math.max(frame.scale.toPx(box.startNs), -10);
  const nearRight = Math.min(
    frame.scale.toPx(box.startNs + box.durationNs),
    frame.scale.widthPx + 10,
  );
  const x = Math.round(nearLeft * ratio);
  const width = Math.max(Math.round(nearRight * ratio) - x, 2);
  const y = Math.round((top + rulerHeight(frame.steps) - frame.scrollTop) * ratio);
  const height = Math.round((ROW_PX - ROW_GAP_PX) * ratio);
  context.strokeStyle = theme.foreground;
  context.lineWidth = weight;
  const grow = weightPx > 1 ? weight / 2 : -weight / 2;
  context.strokeRect(x - grow, y - grow, width + 2 * grow, height + 2 * grow);
}
