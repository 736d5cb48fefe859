// Named moments of a timeline, by time.

import type { Range } from "./range";
import type { Marker } from "./savedViews";

const LETTERS = 26;
const FIRST_LETTER = 65;

/** With one more at a moment, called by the first letter that is free. */
export function withMarker(markers: readonly Marker[], atNs: number): readonly Marker[] {
  return sorted([...markers, { name: freeName(markers), atNs }]);
}

export function withoutMarker(markers: readonly Marker[], marker: Marker): readonly Marker[] {
  return markers.filter((other) => other !== marker);
}

export function renamed(markers: readonly Marker[], marker: Marker, name: string) {
  return markers.map((other) => (other === marker ? { ...other, name } : other));
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
  return markers.toSorted((left, right) => left.atNs - right.atNs);
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
