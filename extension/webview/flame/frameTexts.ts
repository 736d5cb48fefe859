// What is said of a frame, in its tooltip and to screen readers.

import type { FlameGraphs, FlameNode } from "../../src/documents";
import type { TooltipText } from "../page/tooltip";
import { duration, share } from "../units";

/** What a graph's figures are of. */
export interface FlameFigures {
  readonly timeKind: FlameGraphs["time_kind"];
  readonly steps: number;
  readonly wholeNs: number;
}

/** A time of a step, as its mean. */
export function stepTime(sumNs: number, { timeKind, steps }: FlameFigures): string {
  return duration(sumNs / Math.max(steps, 1), timeKind !== "measured");
}

export function frameText(node: FlameNode, figures: FlameFigures): TooltipText {
  const total = stepTime(node.total_ns, figures);
  const step = figures.steps > 1 ? " a step" : "";
  const part = share(node.total_ns, figures.wholeNs);
  const called = node.function === null ? [] : [node.function];
  const places = node.file === null ? [] : [`${node.file}:${String(node.line)}`];
  if (node.others > 0) {
    const each = "each too small to be shown by itself";
    return { title: node.name, lines: [`${total}${step}, ${part}`, each] };
  }
  const own = `self ${stepTime(node.self_ns, figures)}`;
  return { title: node.name, lines: [...called, `${total}${step}, ${part}`, own, ...places] };
}
