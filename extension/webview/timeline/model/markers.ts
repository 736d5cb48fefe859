// Named moments of a timeline, by time.

import type { Range } from "./range";
import type { Marker } from "./savedViews";

const LETTERS = 26;
const FIRST_LETTER = 65;

/** Markers that go, and markers that come. */
export interface MarkerChange {
  readonly removed: readonly Marker[];
  readonly added: readonly Marker[];
}

/** One more at a moment, called by the first letter that is free. */
export function newMarker(markers: readonly Marker[], atNs: number): Marker {
  return { name: freeName(markers), atNs };
}

/** What there is after a change, by time: of two that are alike one. */
export function changed(
  markers: readonly Marker[],
  { removed, added }: MarkerChange,
): readonly Marker[] {
  const isIn = (some: readonly Marker[], marker: Marker): boolean =>
    some.some(({ name, atNs }) => name === marker.name && atNs === marker.atNs);
  const kept = markers.filter((marker) => !isIn(removed, marker) && !isIn(added, marker));
  return sorted([...kept, ...added]);
}

/** How far each is from the one before it; undefined for the first. */
export function deltas(markers: readonly Marker[]): readonly (number | undefined)[] {
  return markers.map(({ atNs }, index) => {
    const before = markers[index - 1];
    return before === undefined ? undefined : atNs - before.atNs;
  });
}

/** From the first to the last; undefined where that is no stretch. */
export function between(markers: readonly Marker[]): Range | undefined {
  const [first, last] = [markers[0], markers.at(-1)];
  return first === undefined || last === undefined || first.atNs === last.atNs
    ? undefined
    : { fromNs: first.atNs, toNs: last.atNs };
}

function sorted(markers: readonly Marker[]): readonly Marker[] {
  return markers.toSorted(
    (left, right) => left.atNs - right.atNs || (left.name < right.name ? -1 : 1),
  );
}

function freeName(markers: readonly Marker[]): string {
  const taken = new Set(markers.map(({ name }) => name));
  for (let number = 0; ; number += 1) {
    const round = Math.floor(number / LETTERS);
    const letter = String.fromCharCode(FIRST_LETTER + (number % LETTERS));
    const name = round === 0 ? letter : `${letter}${round}`;
    if (!taken.has(name)) return name;
  }
}
