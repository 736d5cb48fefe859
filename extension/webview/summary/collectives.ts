// How long collectives take: each of them, and by what they are and how large.

import type { CollectiveGroup, CollectivePoint, Collectives } from "../../src/documents";
import { labelsText } from "../analysis/kinds";
import { countText, UNKNOWN } from "../analysis/metricText";
import { rangeLink } from "../analysis/placeLinks";
import { absent, section } from "../analysis/section";
import type { TabContext } from "../analysis/tab";
import { Chart, type Walk } from "../page/chart";
import { choice } from "../page/choice";
import { element } from "../page/dom";
import { figureTable, type Row } from "../page/figureTable";
import { duration, size } from "../units";
import { boxPlot, boxScale } from "./boxPlot";
import { drawScatter, type Across } from "./scatter";

const TITLE = "Collectives";
const MOST_GROUPS = 12;
const MOST_OUTLIERS = 10;

/** The section. */
export function collectivesSection(context: TabContext): HTMLElement {
  const found = context.overview.collectives;
  if (found === null) {
    return absent(
      TITLE,
      "wide",
      "No collective ran in the recorded steps.",
      "Profile a run of several ranks (torchrun … -m sidelight profile …) to see theirs.",
    );
  }
  const isPredicted = found.time_kind !== "measured";
  const labels = labelsText(found);
  const where =
    found.where === "device"
      ? "As the device's rows have them, waiting for other ranks included."
      : "As the host's rows have them: the device tells of none.";
  return section(
    TITLE,
    "wide",
    element("p", "note", labels === "" ? where : `${where} Times are ${labels}.`),
    ...scatter(found, context, isPredicted),
    groupTable(found.groups, isPredicted),
    ...outliers(found, context, isPredicted),
  );
}

/** What a group is called, in the words of `sidelight summary`. */
export function groupName({ kind, size_bytes: bytes, ranks }: CollectiveGroup): string {
  const of = bytes === null ? "" : ` of ${size(bytes)}`;
  return `${kind}${of}${ranks === null ? "" : `, ${String(ranks)} ranks`}`;
}

function scatter(
  { groups, points, points_left_out: leftOut }: Collectives,
  context: TabContext,
  isPredicted: boolean,
): readonly HTMLElement[] {
  let group = "all";
  let across: Across = "time";
  const shown = (): readonly CollectivePoint[] =>
    points.filter(
      (point) =>
        (group === "all" || String(point.group) === group) &&
        (across === "time" || point.size_bytes !== null),
    );
  const walk = (of: readonly CollectivePoint[]): Walk => ({
    label: `Duration of ${countText(of.length)} collectives by ${across}`,
    count: of.length,
    textOf: (index) => pointText(of[index], groups, isPredicted),
    choose: {
      title: "show in timeline",
      act: (index) => {
        const point = of[index];
        if (point !== undefined) {
          context.showRange(point.start_ns, point.start_ns + point.duration_ns);
        }
      },
    },
  });
  const draw = (of: readonly CollectivePoint[]) => (widthPx: number) =>
    drawScatter(of, across, widthPx, isPredicted);
  const chart = new Chart(walk(points), draw(points));
  const update = (): void => {
    const of = shown();
    chart.change(walk(of), draw(of));
  };
  const kinds = [
    ["all", "All collectives"] as const,
    ...groups.map((each, index) => [String(index), groupName(each)] as const),
  ];
  const byGroup = choice("Collectives shown", kinds, group, (value) => {
    group = value;
    update();
  });
  const axes = [
    ["time", "By time"],
    ["size", "By size"],
  ] as const;
  const byAxis = choice("Across", axes, across, (value) => {
    across = value;
    update();
  });
  byGroup.classList.add("wide-choice");
  const hasSizes = points.some((point) => point.size_bytes !== null);
  const choices = [...(groups.length > 1 ? [byGroup] : []), ...(hasSizes ? [byAxis] : [])];
  const legend = ["● a collective", "◇ an outlier"];
  if (leftOut > 0) legend.push(`${countText(leftOut)} more are not drawn`);
  return [
    element("div", "choices", ...choices),
    chart.root,
    element("p", "note", legend.join(" · ")),
  ];
}

function pointText(
  point: CollectivePoint | undefined,
  groups: readonly CollectiveGroup[],
  isPredicted: boolean,
) {
  const group = point === undefined ? undefined : groups[point.group];
  if (point === undefined || group === undefined) return { title: "", lines: [] };
  const lines = [
    duration(point.duration_ns, isPredicted),
    `at ${duration(point.start_ns, isPredicted)}`,
    ...(point.is_outlier ? ["an outlier"] : []),
  ];
  return { title: groupName(group), lines };
}

function groupTable(groups: readonly CollectiveGroup[], isPredicted: boolean): HTMLElement {
  const scale = boxScale(groups);
  const time = (ns: number): string => duration(ns, isPredicted);
  const rows: readonly Row[] = groups.map((group) => [
    groupName(group),
    countText(group.count),
    time(group.total_ns),
    time(group.min_ns),
    time(group.q1_ns),
    time(group.median_ns),
    time(group.q3_ns),
    time(group.max_ns),
    boxPlot(group, scale),
    countText(group.outliers),
    group.median_bytes_per_s === null ? UNKNOWN : `${size(group.median_bytes_per_s)}/s`,
  ]);
  const columns = [
    { title: "Collective" },
    { title: "Count", isFigure: true },
    { title: "Total", isFigure: true },
    { title: "Shortest", isFigure: true },
    { title: "1st quartile", isFigure: true },
    { title: "Median", isFigure: true },
    { title: "3rd quartile", isFigure: true },
    { title: "Longest", isFigure: true },
    { title: "Spread" },
    { title: "Outliers", isFigure: true },
    { title: "Median rate", isFigure: true },
  ];
  return figureTable("Collectives by what they are and how large", columns, rows, MOST_GROUPS);
}

/** Those far from their like, longest first. */
function outliers(
  { points, groups }: Collectives,
  context: TabContext,
  isPredicted: boolean,
): readonly HTMLElement[] {
  const found = points
    .filter((point) => point.is_outlier)
    .sort((one, other) => other.duration_ns - one.duration_ns);
  if (found.length === 0) return [];
  const rows = found.flatMap((point): readonly Row[] => {
    const group = groups[point.group];
    if (group === undefined) return [];
    const { start_ns: startNs, duration_ns: durationNs } = point;
    const at = duration(startNs, isPredicted);
    const stretch = { startNs, endNs: startNs + durationNs, what: `outlier at ${at}` };
    return [
      [
        groupName(group),
        at,
        duration(durationNs, isPredicted),
        duration(group.median_ns, isPredicted),
        rangeLink(stretch, context),
      ],
    ];
  });
  const columns = [
    { title: "Collective" },
    { title: "At", isFigure: true },
    { title: "Duration", isFigure: true },
    { title: "Median of its like", isFigure: true },
    { title: "Timeline" },
  ];
  return [
    element("h3", "", "Outliers"),
    figureTable("Outliers, longest first", columns, rows, MOST_OUTLIERS),
  ];
}
