// Device time by who caused it: by the chain of source lines, or by module.

import type { FlameNode } from "../../src/documents";
import type { FlameMatchParams } from "../../src/protocol";
import type { Tab, TabContext } from "../analysis/tab";
import { choice } from "../page/choice";
import { button, element } from "../page/dom";
import { placeName } from "../places";
import { share } from "../units";
import { FileColours } from "./colours";
import { FlameGraph } from "./flameGraph";
import { type Frame, framesOf, pathTo } from "./frames";
import { type FlameFigures, stepTime } from "./frameTexts";

type GraphName = FlameMatchParams["graph"];

const GRAPHS = [
  ["by_line", "By source line"],
  ["by_module", "By module"],
] as const;
const TYPING_MS = 200;
const MOST_SWATCHES = 12;
const NOTHING =
  "No device time was recorded: profile the script again, on a device or with --target virtual.";

export function flameTab(context: TabContext): Tab {
  if (context.overview.flame.by_line.total_ns === 0) {
    return { root: element("div", "flame", element("p", "note", NOTHING)) };
  }
  const flame = new Flame(context);
  return {
    root: flame.root,
    dispose: () => {
      flame.dispose();
    },
  };
}

class Flame {
  readonly root = element("div", "flame");
  private readonly graph: FlameGraph;
  private readonly field = element("input", "field find");
  private readonly matched = element("span", "matched");
  private readonly path = element("nav", "flame-path");
  private readonly told = element("p", "flame-told");
  private readonly legend = element("ul", "flame-legend");
  private readonly line: HTMLButtonElement;
  private readonly timeline: HTMLButtonElement;
  private readonly themeChanges: MutationObserver;
  private name: GraphName = "by_line";
  private frames: readonly Frame[] = [];
  private current: Frame | undefined;
  private typing: ReturnType<typeof setTimeout> | undefined;
  private searches = 0;

  constructor(private readonly context: TabContext) {
    this.graph = new FlameGraph({
      goToLine: this.goToLine,
      showOnTimeline: this.showOnTimeline,
      moved: (current, filling) => {
        this.moved(current, filling);
      },
    });
    this.field.type = "search";
    this.field.placeholder = "Find frames";
    this.field.setAttribute("aria-label", "Find frames by name, function or path");
    this.field.addEventListener("input", () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => void this.find(), TYPING_MS);
    });
    this.matched.setAttribute("role", "status");
    this.path.setAttribute("aria-label", "Frames above");
    this.line = button("Go to line", "tool", () => {
      if (this.current !== undefined) this.goToLine(this.current);
    });
    this.timeline = button("Show in timeline", "tool", () => {
      if (this.current !== undefined) this.showOnTimeline(this.current);
    });
    const shown = choice<GraphName>("Frames", GRAPHS, this.name, (name) => {
      this.name = name;
      this.show();
      void this.find();
    });
    const places = element("span", "tools", this.line, this.timeline);
    this.root.append(
      element("div", "table-tools", shown, this.field, this.matched, places),
      ...[this.path, this.graph.root, this.told, this.legend, this.graph.over],
    );
    this.themeChanges = new MutationObserver(() => {
      this.graph.recolour(this.coloured());
    });
    this.themeChanges.observe(document.body, {
      attributeFilter: ["class", "data-vscode-theme-id"],
    });
    this.show();
  }

  dispose(): void {
    clearTimeout(this.typing);
    this.searches += 1;
    this.themeChanges.disconnect();
    this.graph.dispose();
  }

  private get whole(): FlameNode {
    return this.context.overview.flame[this.name];
  }

  private get figures(): FlameFigures {
    const { flame } = this.context.overview;
    const { steps } = this.context.analysis;
    return { timeKind: flame.time_kind, steps, wholeNs: this.whole.total_ns };
  }

  private show(): void {
    this.frames = framesOf(this.whole);
    const label = this.name === "by_line" ? "Device time by source line" : "Device time by module";
    this.graph.show({
      ...{ label, frames: this.frames, figures: this.figures },
      colours: this.coloured(),
    });
    this.told.textContent = this.toldText();
  }

  private toldText(): string {
    const { time_kind: kind, attribution } = this.context.overview.flame;
    const { steps } = this.context.analysis;
    const step = steps > 1 ? ` a step, the mean of ${steps.toLocaleString("en-US")}` : "";
    const kinds = { measured: [], predicted: ["≈ predicted"], mixed: ["≈ partly predicted"] };
    const parts = {
      ...{ exact: [], apportioned: ["apportioned between lines"] },
      mixed: ["partly apportioned between lines"],
    };
    const others = this.frames.filter(({ node }) => node.others > 0);
    const small = others.length === 0 ? [] : ["“others” stand for frames too small to be shown"];
    const keys = "Click or Space zooms, Escape zooms out, Enter or Ctrl+click goes to the line";
    return [
      `${stepTime(this.whole.total_ns, this.figures)} of device time${step}`,
      ...[...kinds[kind], ...parts[attribution], ...small, keys],
    ].join(" · ");
  }

  /** The colours of the theme in force, and what they stand for. */
  private coloured(): FileColours {
    const colours = new FileColours(this.frames);
    const swatches = colours.swatches();
    const items = swatches.slice(0, MOST_SWATCHES).map(({ file, colour }) => {
      const swatch = element("span", "swatch");
      swatch.style.backgroundColor = colour;
      const item = element("li", "", swatch, placeName({ file, line: 0 }).replace(/:0$/u, ""));
      item.title = file;
      return item;
    });
    const more = swatches.length - items.length;
    const rest = more > 0 ? [element("li", "", `and ${more} more files`)] : [];
    this.legend.replaceChildren(...items, ...rest);
    return colours;
  }

  private moved(current: Frame, filling: Frame): void {
    this.current = current;
    const hasPlace = current.node.file !== null && current.node.line !== null;
    this.line.disabled = !hasPlace;
    this.timeline.disabled = !hasPlace;
    const path = pathTo(this.frames, filling.number);
    const crumbs = path.map(({ node, number }) => {
      const made = button(node.name, "tool crumb", () => {
        this.graph.fill(number);
        this.graph.root.focus();
      });
      if (number === filling.number) made.setAttribute("aria-current", "true");
      return made;
    });
    this.path.replaceChildren(...crumbs);
  }

  private async find(): Promise<void> {
    this.searches += 1;
    const search = this.searches;
    const text = this.field.value;
    if (text === "") {
      this.graph.light(undefined);
      this.matched.textContent = "";
      return;
    }
    const { asking, analysis } = this.context;
    try {
      const { directory } = analysis;
      const match = await asking.flameMatch({ directory, graph: this.name, text });
      // Something else may be looked for by now.
      if (search !== this.searches) return;
      this.graph.light(new Set(match.frames));
      const part = share(match.matchedNs, this.whole.total_ns);
      const time = stepTime(match.matchedNs, this.figures);
      const count = match.frames.length.toLocaleString("en-US");
      const frames = match.frames.length === 1 ? "frame" : "frames";
      this.matched.textContent =
        match.frames.length === 0 ? "No frame" : `${count} ${frames}, ${time}, ${part}`;
    } catch (error) {
      if (search !== this.searches) return;
      this.matched.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  private readonly goToLine = ({ node: { file, line } }: Frame): void => {
    if (file !== null && line !== null) this.context.goToLine(file, line);
  };

  private readonly showOnTimeline = ({ node: { file, line } }: Frame): void => {
    if (file !== null && line !== null) this.context.showOnTimeline(file, line);
  };
}
