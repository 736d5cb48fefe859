// What moved on the chart since a baseline.

import type { RooflineDot, RooflinePair } from "../../src/documents";
import { svg } from "../page/svg";
import { arrowPath } from "./model/arrow";
import { isCharted, type Plane } from "./model/plane";

export interface Movement {
  /** Before and now, of what is on both sides. */
  readonly moved: readonly {
    readonly base: RooflineDot;
    readonly dot: RooflineDot;
  }[];
  /** The dots of now that have one of before. */
  readonly matched: ReadonlySet<RooflineDot>;
  /** The dots of before. */
  readonly before: readonly RooflineDot[];
}

export function movementOf(pairs: readonly RooflinePair[]): Movement {
  const moved = pairs.flatMap(({ base, new: dot }) =>
    base === null || dot === null ? [] : [{ base, dot }],
  );
  return {
    moved,
    matched: new Set(moved.map(({ dot }) => dot)),
    before: moved.map(({ base }) => base),
  };
}

/** The arrows, and a small ring where each begins. */
export function arrowsOf({ moved }: Movement, plane: Plane): SVGElement[] {
  const arrows = moved.flatMap(({ base, dot }) => {
    if (!isCharted(base) || !isCharted(dot)) return [];
    const from = plane.at(base.intensity, base.achieved_flops_per_s);
    const d = arrowPath(from, plane.at(dot.intensity, dot.achieved_flops_per_s));
    const ring = svg("circle", { cx: from.x, cy: from.y, r: 3 });
    return d === undefined ? [] : [ring, svg("path", { d })];
  });
  return [svg("g", { class: "arrows" }, ...arrows)];
}
