// What a step's time went to: the mean step as one bar, and each step beside the others.

import type { StepParts, StepTime } from "../../src/documents";
import { labelsText } from "../analysis/kinds";
import { shareText, UNKNOWN } from "../analysis/metricText";
import { absent, section } from "../analysis/section";
import type { TabContext } from "../analysis/tab";
import { Chart } from "../page/chart";
import { disclosure } from "../page/disclosure";
import { element } from "../page/dom";
import { figureTable } from "../page/figureTable";
import { partName, stackedBar } from "../page/stackedBar";
import { duration } from "../units";
import { drawSteps } from "./stepBars";
import { stepParts } from "./stepParts";

const TITLE = "Step time";

/** The section. */
export function stepTimeSection(context: TabContext): HTMLElement {
  const time = context.overview.step_time;
  if (time === null) {
    return absent(
      TITLE,
      "wide",
      "No step of this profile took any time, so that none can be divided.",
      "Profile a training step or a model's calls: each optimizer step or call is a step.",
    );
  }
  const isPredicted = time.time_kind === "predicted";
  const { mean } = time;
  const whole = duration(mean.duration_ns, isPredicted);
  const parts = stepParts(context.analysis.device).map(({ key, name, look }) => {
    const meanNs = mean[key];
    const text =
      meanNs === null
        ? [UNKNOWN, UNKNOWN]
        : [duration(meanNs, isPredicted), shareText(meanNs, mean.duration_ns, isPredicted)];
    return { name, look, amount: meanNs ?? 0, text: text.join(" · "), cells: text };
  });
  const rows = parts.map(
    ({ name, look, cells }) => [partName(name, look), cells[0] ?? "", cells[1] ?? ""] as const,
  );
  const columns = [
    { title: "Part" },
    { title: "Mean", isFigure: true },
    { title: "Of the step", isFigure: true },
  ];
  const labels = labelsText(time);
  const rule = element("p", "note", time.rule);
  return section(
    TITLE,
    "wide",
    element(
      "p",
      "lead",
      `${time.steps.length === 1 ? "The step" : "A mean step"} takes ${whole}.`,
      ...(labels === "" ? [] : [element("span", "label", labels)]),
    ),
    stackedBar("A step's time", parts),
    element(
      "div",
      "beside",
      figureTable("What a step's time went to", columns, rows),
      ...stepByStep(time, context, isPredicted),
    ),
    disclosure("How what overlaps is counted", rule),
    rule,
  );
}

/** The steps one after another; nothing where there is one alone. */
function stepByStep(
  { steps }: StepTime,
  context: TabContext,
  isPredicted: boolean,
): readonly HTMLElement[] {
  if (steps.length < 2) return [];
  const chart = new Chart(
    {
      label: `The time of each of ${String(steps.length)} steps`,
      count: steps.length,
      textOf: (index) => stepText(steps[index], index, context),
      choose: {
        title: "show in timeline",
        act: (index) => {
          const step = steps[index];
          if (step !== undefined) {
            context.showRange(step.start_ns, step.start_ns + step.duration_ns);
          }
        },
      },
    },
    (widthPx) => drawSteps(steps, widthPx, isPredicted),
  );
  return [element("div", "grows", element("h3", "", "Step by step"), chart.root)];
}

function stepText(step: StepParts | undefined, index: number, { analysis }: TabContext) {
  if (step === undefined) return { title: "", lines: [] };
  const isPredicted = analysis.timeKind === "predicted";
  const lines = stepParts(analysis.device).flatMap(({ key, name }) => {
    const partNs = step[key];
    return partNs === null || partNs === 0 ? [] : [`${name} ${duration(partNs, isPredicted)}`];
  });
  const title = `Step ${String(index + 1)}: ${duration(step.duration_ns, isPredicted)}`;
  return { title, lines };
}
