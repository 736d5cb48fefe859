// What of a cut comes from which window.

import type { CachedWindow, Piece } from "../model/windows";
import type { Cut } from "./surface";

/** From one device pixel of the grid to before another. */
export interface Part<T> {
  readonly window: CachedWindow<T>;
  readonly left: number;
  readonly right: number;
}

/** A cut's parts as far as the pieces of the view go. */
export function partsIn<T>(pieces: readonly Piece<T>[], cut: Cut): readonly Part<T>[] {
  return pieces.flatMap(({ window, fromNs, toNs }) => part(window, fromNs, toNs, cut));
}

/** The same, with the outermost pieces as far as their windows go: more than is in view. */
export function widePartsIn<T>(pieces: readonly Piece<T>[], cut: Cut): readonly Part<T>[] {
  return pieces.flatMap(({ window, fromNs, toNs }, index) =>
    part(
      window,
      index === 0 ? Math.min(window.fromNs, fromNs) : fromNs,
      index === pieces.length - 1 ? Math.max(window.toNs, toNs) : toNs,
      cut,
    ),
  );
}

/** Whether all of some parts is among others. */
export function areAmong<T>(some: readonly Part<T>[], others: readonly Part<T>[]): boolean {
  return some.every(({ window, left, right }) =>
    others.some((other) => other.window === window && other.left <= left && other.right >= right),
  );
}

function part<T>(window: CachedWindow<T>, fromNs: number, toNs: number, cut: Cut): Part<T>[] {
  const left = Math.max(cut.grid.pixel(fromNs), cut.left);
  const right = Math.min(cut.grid.pixel(toNs), cut.left + cut.width);
  return left < right ? [{ window, left, right }] : [];
}
