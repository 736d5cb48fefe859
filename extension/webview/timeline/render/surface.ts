// What is drawn on: a canvas, or whatever takes the same strokes.

import type { KeyOf } from "../model/colouring";
import type { PixelGrid } from "../model/grid";
import type { Palette } from "../model/palette";
import type { Spans } from "../model/spans";
import { type Batches, batchByColour } from "./batches";
import type { Labels } from "./labels";
import type { Theme } from "./theme";

/** As much of a canvas's context as pictures are drawn with. */
export type Pen = Pick<
  CanvasRenderingContext2D,
  | "fillStyle"
  | "strokeStyle"
  | "lineWidth"
  | "globalAlpha"
  | "font"
  | "textBaseline"
  | "save"
  | "restore"
  | "beginPath"
  | "rect"
  | "clip"
  | "moveTo"
  | "lineTo"
  | "bezierCurveTo"
  | "fill"
  | "stroke"
  | "fillRect"
  | "strokeRect"
> & {
  fillText(text: string, x: number, y: number): void;
  measureText(text: string): { readonly width: number };
};

/** How things look under a theme. */
export class Look {
  private readonly batches = new WeakMap<Spans, Batches>();

  constructor(
    readonly theme: Theme,
    readonly palette: Palette,
    private readonly keyOf: KeyOf,
  ) {}

  batchesOf(spans: Spans): Batches {
    let batches = this.batches.get(spans);
    if (batches === undefined) {
      batches = batchByColour(spans, this.palette, this.keyOf);
      this.batches.set(spans, batches);
    }
    return batches;
  }
}

/** Something to draw on, and the measures and colours everything on it is drawn by. */
export interface Surface {
  readonly context: Pen;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Device pixels a CSS pixel. */
  readonly ratio: number;
  readonly look: Look;
  readonly theme: Theme;
  readonly labels: Labels;
}

/**
 * A part of the timeline that is drawn by itself, in device pixels: from the left those of a grid,
 * from the top those of the layout.
 */
export interface Cut {
  readonly grid: PixelGrid;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
