// The roofline: where operators, lines or modules lie, and how they moved since a baseline.

import type {
  RooflineChange,
  RooflineChart as ChartDocument,
  RooflineDot,
  RooflineLevel,
} from "../../src/documents";
import type { Tab, TabContext } from "../analysis/tab";
import { choice } from "../page/choice";
import { button, element } from "../page/dom";
import { changesSection } from "./changes";
import { type ChartContent, RooflineChart } from "./chart";
import { dotTable } from "./dotTable";
import { dotLines, type DotsOf, timeText } from "./figures";
import { chartLegend } from "./legend";
import { isCharted } from "./model/plane";
import { movementOf } from "./movement";
import { roofTable } from "./roofTable";

const LEVELS = [
  ["lines", "Lines"],
  ["operators", "Operators"],
  ["modules", "Modules"],
] as const;

type LevelName = (typeof LEVELS)[number][0];

export function rooflineTab(context: TabContext): Tab {
  const { roofline } = context.overview;
  if (roofline === null) return { root: unknownWork(context.analysis.directory) };
  const view = new RooflineView(context, roofline);
  return {
    root: view.root,
    dispose: () => {
      view.dispose();
    },
  };
}

/** What stands where nothing is known of the work, and how it becomes known. */
function unknownWork(directory: string): HTMLElement {
  const command = `sidelight open ${quoted(directory)} --device trn2`;
  return element(
    "div",
    "roofline",
    element("p", "", "There is no roofline: nothing tells the FLOPs and bytes of the device time."),
    element("p", "note", "Price the profile for a chip; its operators need shapes for that:"),
    element("code", "command", command),
  );
}

class RooflineView {
  readonly root = element("div", "roofline");
  private readonly chart: RooflineChart;
  private readonly tools = element("div", "roofline-tools");
  private readonly problem = element("p", "problem");
  private readonly above = element("div", "roofline-above");
  private readonly below = element("div", "roofline-below");
  private readonly of: DotsOf;
  private level: LevelName = "lines";
  private baseline: RooflineChange | undefined;

  constructor(
    private readonly context: TabContext,
    private readonly roofline: ChartDocument,
  ) {
    this.of = { steps: context.analysis.steps, deviceNs: roofline.device_ns };
    this.chart = new RooflineChart(this.content(), context);
    this.problem.setAttribute("role", "alert");
    this.root.append(this.tools, this.problem, this.above, this.chart.root, this.below);
    this.show();
  }

  dispose(): void {
    this.chart.dispose();
  }

  private show(): void {
    const { roofline, context, baseline, of } = this;
    const { dots } = this.shownLevel();
    this.problem.hidden = this.problem.textContent === "";
    this.tools.replaceChildren(...this.toolbar());
    this.above.replaceChildren(...wholeText(roofline.whole, of));
    this.chart.show(this.content());
    const changes =
      baseline === undefined ? [] : [changesSection(baseline, baseline[this.level], context)];
    const table = dotTable(this.level, dots, of, context, (dot) => {
      this.chart.mark(dot);
    });
    const sources = roofline.roofs === null ? [] : [roofTable(roofline.roofs)];
    this.below.replaceChildren(...this.notes(), ...changes, table, ...sources);
  }

  private toolbar(): readonly HTMLElement[] {
    const levels = choice("Dots are", LEVELS, this.level, (level) => {
      this.level = level;
      this.show();
      this.tools.querySelector("select")?.focus();
    });
    const compare = button("Compare with…", "secondary", () => void this.choose());
    compare.title = "Choose a baseline: what moved since then is shown";
    if (this.baseline === undefined) return [levels, compare];
    const { name } = this.baseline.base;
    const forget = button("×", "tool", this.forget, "Without a baseline");
    return [levels, element("span", "", `since ${name}`), compare, forget];
  }

  private readonly forget = (): void => {
    this.baseline = undefined;
    this.show();
    this.tools.querySelector<HTMLElement>("button")?.focus();
  };

  private async choose(): Promise<void> {
    const { directory } = this.context.analysis;
    this.problem.textContent = "";
    try {
      const chosen = await this.context.asking.chooseBaseline({ directory });
      this.baseline = chosen ?? this.baseline;
    } catch (error) {
      this.problem.textContent = error instanceof Error ? error.message : String(error);
    }
    this.show();
  }

  /** The level's dots; of a comparison, its own of them, so that both sides are found by them. */
  private shownLevel(): RooflineLevel {
    const level = this.roofline[this.level];
    if (this.baseline === undefined) return level;
    const dots = this.baseline[this.level].flatMap(({ new: dot }) => (dot === null ? [] : [dot]));
    return { ...level, dots: dots.sort((one, other) => other.device_ns - one.device_ns) };
  }

  private content(): ChartContent {
    const { roofline, baseline, of } = this;
    const { dots } = this.shownLevel();
    const { whole } = roofline;
    const moved = baseline?.[this.level] ?? [];
    const wholes = baseline?.whole ?? null;
    const pairs = wholes === null ? moved : [wholes, ...moved];
    const core = roofline.roofs === null ? "" : ` of ${roofline.roofs.core}`;
    const all = whole === null ? "" : ` All of it: ${dotLines(whole, of).join(", ")}.`;
    return {
      roofs: roofline.roofs,
      dots,
      whole,
      label: `Roofline${core}: ${String(dots.length)} ${this.level}.${all} The table below has the same.`,
      legend: (largestPx) =>
        chartLegend(
          dots.filter(isCharted),
          of.steps,
          whole !== null,
          largestPx,
          baseline?.base.name,
        ),
      linesOf: (dot) => dotLines(dot, of),
      movement: baseline === undefined ? undefined : movementOf(pairs),
    };
  }

  /** What the chart cannot show, each with its time. */
  private notes(): readonly HTMLElement[] {
    const { unpriced_ns: unpricedNs, off_chart_ns: offNs, off_chart_dots: off } = this.shownLevel();
    const { roofs, whole } = this.roofline;
    const kind = { time_kind: this.context.analysis.timeKind };
    const aStep = Math.max(this.of.steps, 1);
    const notes: string[] = [];
    if (unpricedNs > 0) {
      const time = timeText(unpricedNs / aStep, kind);
      notes.push(
        `${time} of device time a step has no known work: nothing tells the FLOPs and bytes of its ` +
          "operators, such as where shapes were not recorded. The data quality says more.",
      );
    }
    if (off > 0) {
      const time = timeText(offNs / aStep, kind);
      const those = off === 1 ? "1 dot has" : `${String(off)} dots have`;
      notes.push(
        `${those} no place on logarithmic axes (no FLOPs, or not all of the work is known): ` +
          `${time} of device time a step. The table has ${off === 1 ? "it" : "them"}.`,
      );
    }
    if (roofs === null)
      notes.push(
        "No chip is known for this profile, so that it has no roofs: open it with one " +
          "(sidelight open, with --device).",
      );
    if (whole?.rate_kind === "predicted") notes.push("≈ is predicted.");
    return notes.map((note) => element("p", "note", note));
  }
}

function wholeText(whole: RooflineDot | null, of: DotsOf): readonly HTMLElement[] {
  if (whole === null) return [];
  return [element("p", "", `${whole.name}: ${dotLines(whole, of).join(" · ")}`)];
}

/** A word of a shell's command. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}
