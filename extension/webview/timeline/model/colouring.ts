// What spans are coloured by. Categories have hues of their own; all else takes colours in the order
// in which it comes up, from a few that colour-blind people tell apart.

import type { TimelineTrack } from "../../../src/protocol";
import type { ColourBy } from "../messages";
import { at, type Spans } from "./spans";

export type Colouring = ColourBy | "engine" | "process";

export const COLOURINGS: readonly (readonly [Colouring, string])[] = [
  ["category", "Colour: category"],
  ["operator", "Colour: operator"],
  ["module", "Colour: module"],
  ["file", "Colour: file"],
  ["engine", "Colour: engine"],
  ["process", "Colour: process (rank)"],
];

export function isColouring(text: string | undefined): text is Colouring {
  return COLOURINGS.some(([colouring]) => colouring === text);
}

/** What the server is asked to tell of each span. */
export function askedColour(colouring: Colouring): ColourBy {
  return colouring === "engine" || colouring === "process" ? "category" : colouring;
}

/** By what a span is coloured; undefined by its category, an empty text by nothing. */
export type KeyOf = (spans: Spans, span: number) => string | undefined;

/** How spans are coloured under a choice. */
export function keyOf(colouring: Colouring, tracks: readonly TimelineTrack[]): KeyOf {
  if (colouring === "category") return () => undefined;
  if (colouring === "engine" || colouring === "process") {
    const byTrack = new Map(
      tracks.map(({ track, engine, process }) => [
        track,
        (colouring === "engine" ? engine : process) ?? "",
      ]),
    );
    return (spans, span) => byTrack.get(at(spans.track, span)) ?? "";
  }
  return (spans, span) => spans.keys[at(spans.key, span)] ?? "";
}
