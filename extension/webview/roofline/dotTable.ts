// The dots as a table: what the chart shows to those who do not see it.

import type { RooflineDot } from "../../src/documents";
import { button, element } from "../page/dom";
import type { ChartActions } from "./chart";
import { type DataColumn, dataTable } from "./dataTable";
import { type DotsOf, figuresOf } from "./figures";

const MOST_ROWS = 20;
const UNKNOWN = "–";

const COLUMNS: readonly DataColumn[] = [
  { title: "Name" },
  { title: "Device time", description: "A step", isNumber: true },
  { title: "Share", description: "Of all device time", isNumber: true },
  { title: "FLOPs", description: "A step", isNumber: true },
  { title: "Bytes", description: "Between HBM and the core, a step", isNumber: true },
  { title: "FLOP/byte", description: "Arithmetic intensity", isNumber: true },
  { title: "Achieved", description: "FLOPs by time", isNumber: true },
  { title: "Attainable", description: "What the roof allows at this intensity", isNumber: true },
  { title: "Faster at roof", description: "How many times as fast, at most", isNumber: true },
  { title: "Bound by", description: "What keeps it from being faster" },
  { title: "Dtype", description: "What the roof is of" },
  { title: "Attribution", description: "Whether it is a part of what several share" },
  { title: "Timeline" },
];

/**
 * @param what What the dots are, such as "lines".
 * @param pointed Called with the dot that is pointed at, or has the keyboard.
 */
export function dotTable(
  what: string,
  dots: readonly RooflineDot[],
  of: DotsOf,
  actions: ChartActions,
  pointed: (dot: RooflineDot | undefined) => void,
): HTMLElement {
  const shown = dots.slice(0, MOST_ROWS);
  const rows = shown.map((dot) => rowOf(dot, of, actions));
  const some = `The ${String(MOST_ROWS)} ${what} with most device time, of ${String(dots.length)}`;
  const all = `${what.charAt(0).toUpperCase()}${what.slice(1)} by device time`;
  const made = dataTable(dots.length > MOST_ROWS ? some : all, COLUMNS, rows);
  made.querySelectorAll("tbody tr").forEach((row, index) => {
    for (const event of ["pointerenter", "focusin"]) {
      row.addEventListener(event, () => {
        pointed(shown[index]);
      });
    }
    for (const event of ["pointerleave", "focusout"]) {
      row.addEventListener(event, () => {
        pointed(undefined);
      });
    }
  });
  return made;
}

function rowOf(dot: RooflineDot, of: DotsOf, actions: ChartActions): readonly (Node | string)[] {
  const figures = figuresOf(dot, of);
  const { time, flops, bytes, intensity, achieved, attainable, faster } = figures;
  const known = [time, figures.share, flops, bytes, intensity, achieved, attainable, faster];
  const words = [dot.bound ?? "", dot.dtype ?? "", dot.attribution];
  return [
    nameCell(dot, actions),
    ...[...known, ...words].map((text) => (text === "" ? UNKNOWN : text)),
    timelineCell(dot, actions),
  ];
}

/** A dot's name, which leads to its line where it has one. */
export function nameCell({ name, file, line }: RooflineDot, actions: ChartActions): Node {
  if (file === null || line === null) return element("span", "place absent", name);
  return button(name, "place", () => {
    actions.goToLine(file, line);
  });
}

function timelineCell({ name, file, line }: RooflineDot, actions: ChartActions): Node | string {
  if (file === null || line === null) return UNKNOWN;
  const show = (): void => {
    actions.showOnTimeline(file, line);
  };
  return button("Show", "place", show, `Show ${name} in the timeline`);
}
