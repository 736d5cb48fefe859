import type { Axis } from "./axis";
import { svg } from "./svg";

/** Where marks of an axis that goes up are drawn. */
export interface HorizontalGrid {
  readonly axis: Axis;
  /** How far marks are apart, at least. */
  readonly apartPx: number;
  /** Where the axis starts, from above. */
  readonly floorPx: number;
  readonly left: number;
  readonly right: number;
  readonly text: (value: number) => string;
}

/** Lines across a chart at round values, with what they are at. */
export function horizontalGrid(grid: HorizontalGrid): readonly SVGElement[] {
  const { axis, apartPx, floorPx, left, right, text } = grid;
  return axis.ticks(apartPx).flatMap((value) => {
    const y = Math.round(floorPx - axis.toPx(value)) + 0.5;
    return [
      svg("line", { class: "rule", x1: left, x2: right, y1: y, y2: y }),
      svg("text", { class: "tick", x: left - 6, y: y + 3.5, "text-anchor": "end" }, text(value)),
    ];
  });
}
