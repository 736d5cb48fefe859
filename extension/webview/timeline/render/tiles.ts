// A layer of the picture in tiles: drawn once, and moved while the view does. Where the view zooms
// every frame is another picture, so that what is in view is drawn alone.

import type { PixelGrid } from "../model/grid";
import type { Piece } from "../model/windows";
import { areAmong, type Part, partsIn, widePartsIn } from "./parts";
import type { Cut } from "./surface";

/** In device pixels, either way. */
export const TILE_PX = 512;

/** Draws some parts of a cut on an empty canvas that has its size. */
export type Paint<T> = (
  context: CanvasRenderingContext2D,
  parts: readonly Part<T>[],
  cut: Cut,
) => void;

interface Tile<T> {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  parts: readonly Part<T>[];
}

/** A stretch from top to bottom, in the device pixels of the layout. */
export interface Stretch {
  readonly top: number;
  readonly bottom: number;
}

export class TileLayer<T> {
  private readonly tiles = new Map<string, Tile<T>>();
  private readonly spare: Tile<T>[] = [];
  private grid: PixelGrid | undefined;
  private basis: readonly unknown[] = [];
  private readonly whole: Tile<T> = newTile();

  /**
   * Draws the layer of a view.
   *
   * @param target Where to; the view's top left corner is its own.
   * @param basis What else the picture depends on: where it is another, all is drawn anew.
   * @param stretches Where there is anything to draw at all, from top to bottom.
   */
  draw(
    target: CanvasRenderingContext2D,
    view: Cut,
    pieces: readonly Piece<T>[],
    basis: readonly unknown[],
    stretches: readonly Stretch[],
    paint: Paint<T>,
  ): void {
    const isZooming = this.grid !== undefined && !this.grid.isSame(view.grid);
    if (isZooming || basis.some((part, index) => part !== this.basis[index])) this.forget();
    this.grid = view.grid;
    this.basis = basis;
    const [first, last] = [stretches[0], stretches.at(-1)];
    if (first === undefined || last === undefined) return;
    const top = Math.max(view.top, first.top);
    const height = Math.min(view.top + view.height, last.bottom) - top;
    if (height <= 0) return;
    const inSight = { ...view, top, height };
    if (isZooming) {
      sized(this.whole, view.width, inSight.height);
      paint(this.whole.context, partsIn(pieces, inSight), inSight);
      target.drawImage(this.whole.canvas, 0, top - view.top);
      return;
    }
    const shown = new Set<string>();
    for (const cut of cutsOf(inSight)) {
      if (!stretches.some((stretch) => overlaps(stretch, cut))) continue;
      const needed = partsIn(pieces, common(cut, inSight));
      // What was drawn of other windows is not what is wanted now.
      if (needed.length === 0) continue;
      const key = `${cut.left},${cut.top}`;
      shown.add(key);
      const tile = this.tile(key);
      if (!areAmong(needed, tile.parts)) {
        sized(tile, TILE_PX, TILE_PX);
        tile.parts = widePartsIn(pieces, cut);
        paint(tile.context, tile.parts, cut);
      }
      target.drawImage(tile.canvas, cut.left - view.left, cut.top - view.top);
    }
    this.keepNear(shown, inSight);
  }

  /** Draws all anew from now on. */
  private forget(): void {
    for (const tile of this.tiles.values()) this.spare.push(tile);
    this.tiles.clear();
  }

  private tile(key: string): Tile<T> {
    let tile = this.tiles.get(key);
    if (tile === undefined) {
      tile = this.spare.pop() ?? newTile();
      tile.parts = [];
      this.tiles.set(key, tile);
    }
    return tile;
  }

  /** Keeps the tiles in sight and those half a screen around them. */
  private keepNear(shown: ReadonlySet<string>, view: Cut): void {
    for (const [key, tile] of this.tiles) {
      const [left = 0, top = 0] = key.split(",").map(Number);
      const isNear = isBeside(left, view.left, view.width) && isBeside(top, view.top, view.height);
      if (!shown.has(key) && !isNear) {
        this.tiles.delete(key);
        if (this.spare.length < shown.size) this.spare.push(tile);
      }
    }
    this.spare.length = Math.min(this.spare.length, shown.size);
  }
}

/** The tiles that lie in a view, at least in part. */
function* cutsOf({ grid, left, top, width, height }: Cut): Generator<Cut> {
  const first = (px: number): number => Math.floor(px / TILE_PX) * TILE_PX;
  for (let y = first(top); y < top + height; y += TILE_PX) {
    for (let x = first(left); x < left + width; x += TILE_PX) {
      yield { grid, left: x, top: y, width: TILE_PX, height: TILE_PX };
    }
  }
}

/** What of a cut is in another, from left to right. */
function common(cut: Cut, view: Cut): Cut {
  const left = Math.max(cut.left, view.left);
  const right = Math.min(cut.left + cut.width, view.left + view.width);
  return { ...cut, left, width: right - left };
}

function overlaps({ top, bottom }: Stretch, cut: Cut): boolean {
  return top < cut.top + cut.height && bottom > cut.top;
}

/** Whether a tile is no further from what is in sight than half of that is long. */
function isBeside(tilePx: number, fromPx: number, lengthPx: number): boolean {
  return tilePx + TILE_PX >= fromPx - lengthPx / 2 && tilePx <= fromPx + 1.5 * lengthPx;
}

function newTile<T>(): Tile<T> {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  if (context === null) {
    throw new Error("The timeline cannot be drawn: this window has no 2-D canvas.");
  }
  return { canvas, context, parts: [] };
}

/** Gives a tile a size, and clears it. */
function sized<T>({ canvas, context }: Tile<T>, width: number, height: number): void {
  if (canvas.width === width && canvas.height === height) {
    context.clearRect(0, 0, width, height);
    return;
  }
  canvas.width = width;
  canvas.height = height;
}
