// Arrows from where a dot was to where it is.

import type { Point } from "./plane";

const HEAD_PX = 7;
/** What moved by less has no arrow. */
const LEAST_PX = 5;

/** The outline of an arrow; undefined where the two are too near for one. */
export function arrowPath(from: Point, to: Point): string | undefined {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  if (length < LEAST_PX) return undefined;
  const head = Math.min(HEAD_PX, length / 2);
  const [along, aside] = [
    { x: dx / length, y: dy / length },
    { x: -dy / length, y: dx / length },
  ];
  const wing = (side: number): string =>
    at({
      x: to.x - head * along.x + (side * head * aside.x) / 2,
      y: to.y - head * along.y + (side * head * aside.y) / 2,
    });
  return `M${at(from)}L${at(to)}M${wing(1)}L${at(to)}L${wing(-1)}`;
}

function at({ x, y }: Point): string {
  return `${String(Math.round(x * 100) / 100)} ${String(Math.round(y * 100) / 100)}`;
}
