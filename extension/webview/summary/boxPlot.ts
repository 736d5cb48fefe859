// The spread of a group's times as a box plot: median, quartiles, and whiskers to the outermost
// times that are no outliers; what lies beyond is drawn as a line in dots.

import type { CollectiveGroup } from "../../src/documents";
import { Axis, axisOver } from "../page/axis";
import { svg } from "../page/svg";

const WIDTH_PX = 180;
const HEIGHT_PX = 16;
const EDGE_PX = 4;
const BOX_PX = 10;
/** From this ratio of times on, the shorter ones would be too small to see in proportion. */
const WIDE = 50;

/** One scale for all groups, so that they compare. */
export function boxScale(groups: readonly CollectiveGroup[]): Axis {
  const times = groups.flatMap(({ min_ns: least, max_ns: most }) => [least, most]);
  return axisOver(times, WIDTH_PX - 2 * EDGE_PX, spansWidely(times) ? "log" : "linear");
}

/** Whether times differ so much that only logarithms show them all. */
export function spansWidely(times: readonly number[]): boolean {
  const above = times.filter((time) => time > 0);
  const least = above.reduce((less, time) => Math.min(less, time), Infinity);
  return above.some((time) => time > WIDE * least);
}

/** For the eye: the figures stand beside it. */
export function boxPlot(group: CollectiveGroup, scale: Axis): SVGSVGElement {
  const { min_ns, low_ns, q1_ns, median_ns, q3_ns, high_ns, max_ns } = group;
  const [least, low, q1, median, q3, high, most] = [
    ...[min_ns, low_ns, q1_ns, median_ns, q3_ns, high_ns, max_ns],
  ].map((ns) => (EDGE_PX + scale.toPx(ns)).toFixed(1)) as [string, ...string[]];
  const middle = HEIGHT_PX / 2;
  const [top, bottom] = [middle - BOX_PX / 2, middle + BOX_PX / 2];
  const box = `M${String(q1)} ${String(top)}H${String(q3)}V${String(bottom)}H${String(q1)}z`;
  const y = String(middle);
  const whiskers = `M${String(low)} ${y}H${String(q1)}M${String(q3)} ${y}H${String(high)}`;
  const ends = [low, high].map((x) => `M${String(x)} ${String(top + 2)}V${String(bottom - 2)}`);
  const beyond = `M${least} ${y}H${String(low)}M${String(high)} ${y}H${String(most)}`;
  return svg(
    "svg",
    { class: "box-plot", width: WIDTH_PX, height: HEIGHT_PX, "aria-hidden": "true" },
    svg("path", { class: "beyond", d: beyond }),
    svg("path", { class: "line", d: whiskers + ends.join("") }),
    svg("path", { class: "box", d: box }),
    svg("path", { class: "median", d: `M${String(median)} ${String(top)}V${String(bottom)}` }),
  );
}
