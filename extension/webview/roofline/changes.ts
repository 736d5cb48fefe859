// What moved most since the baseline, as a table.

import type { RooflineChange, RooflineDot, RooflinePair } from "../../src/documents";
import { element } from "../page/dom";
import { change } from "../units";
import type { ChartActions } from "./chart";
import { dataTable } from "./dataTable";
import { nameCell } from "./dotTable";
import { type DotFigures, figuresOf } from "./figures";

const MOST_ROWS = 10;
const UNKNOWN = "–";

/** The section of a level's largest changes. */
export function changesSection(
  told: RooflineChange,
  pairs: readonly RooflinePair[],
  actions: ChartActions,
): HTMLElement {
  const { base, quality, remarks, change_kind: kind, whole } = told;
  const notes = [...remarks, ...quality.map(({ message }) => message)];
  const rows = [...(whole === null ? [] : [whole]), ...pairs.slice(0, MOST_ROWS)].map((pair) =>
    rowOf(pair, told, actions),
  );
  const columns = [
    { title: "Name" },
    { title: "Device time a step" },
    { title: "Change", description: kind ?? "The times do not compare", isNumber: true },
    { title: "Faster at roof", description: "How many times as fast, at most" },
    { title: "Achieved" },
    { title: "FLOP/byte", description: "Arithmetic intensity" },
    { title: "Bound by" },
    { title: "Dtype" },
  ];
  const title = `Largest changes since ${base.name}`;
  return element(
    "section",
    "changes",
    dataTable(title, columns, rows),
    ...notes.map((note) => element("p", "note", note)),
  );
}

function rowOf(
  pair: RooflinePair,
  told: RooflineChange,
  actions: ChartActions,
): readonly (Node | string)[] {
  const { base, new: now } = pair;
  const dot = now ?? base;
  const [was, is] = [sideOf(base, told.base), sideOf(now, told.new)];
  const figure = (name: keyof DotFigures): string => beforeAndNow(was?.[name], is?.[name]);
  return [
    dot === null ? UNKNOWN : nameCell(now === null ? { ...dot, file: null } : dot, actions),
    figure("time"),
    changeText(pair, told),
    figure("faster"),
    figure("achieved"),
    figure("intensity"),
    beforeAndNow(textOf(base, "bound"), textOf(now, "bound")),
    beforeAndNow(textOf(base, "dtype"), textOf(now, "dtype")),
  ];
}

function sideOf(
  dot: RooflineDot | null,
  { steps, device_ns: deviceNs }: RooflineChange["base"],
): DotFigures | undefined {
  return dot === null ? undefined : figuresOf(dot, { steps, deviceNs });
}

function textOf(dot: RooflineDot | null, name: "bound" | "dtype"): string | undefined {
  return dot === null ? undefined : (dot[name] ?? "");
}

/** How its device time changed, or on which side alone it is. */
function changeText({ base, new: now, device_ns: difference }: RooflinePair, told: RooflineChange) {
  if (base === null) return "added";
  if (now === null) return "removed";
  if (difference === null) return UNKNOWN;
  return change(difference.difference, told.change_kind !== "measured");
}

/** A figure of both sides, or of the one that has what it is of. */
function beforeAndNow(was: string | undefined, now: string | undefined): string {
  const sides = [was, now].filter((text) => text !== undefined);
  return [...new Set(sides.map((text) => (text === "" ? UNKNOWN : text)))].join(" to ");
}
