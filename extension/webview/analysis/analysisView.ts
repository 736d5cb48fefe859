// A profile's analysis: its name, its headline, and its tabs, each made when it is first looked at.

import type { Overview } from "../../src/documents";
import type { Analysis } from "../../src/protocol";
import { element } from "../page/dom";
import { qualityReport } from "../page/qualityReport";
import { rankText } from "../ranks";
import type { Tab, TabContext } from "./tab";
import { TabList } from "./tabList";
import { TAB_NAMES, type TabName } from "./tabNames";
import { TABS } from "./tabs";

const PANEL_ID = "tab-panel";

export class AnalysisView {
  private readonly made = new Map<TabName, Tab>();
  private readonly panel = element("div", "panel");
  private readonly tabs: TabList<TabName>;
  private readonly context: TabContext;

  /**
   * @param tabChosen Called with the tab that a person chose.
   */
  constructor(
    page: HTMLElement,
    private readonly analysis: Analysis,
    actions: Omit<TabContext, "analysis" | "overview">,
    tabChosen: (tab: TabName) => void,
  ) {
    const overview = JSON.parse(analysis.overviewJson) as Overview;
    this.context = { analysis, overview, ...actions };
    this.panel.id = PANEL_ID;
    this.panel.setAttribute("role", "tabpanel");
    this.panel.tabIndex = -1;
    const titleOf = (name: TabName): string => TABS[name].title;
    this.tabs = new TabList(TAB_NAMES, titleOf, PANEL_ID, (name) => {
      tabChosen(name);
      this.show(name);
    });
    const quality = qualityReport(overview.quality);
    const openers = quality === undefined ? [] : [quality.opener];
    const over = quality === undefined ? [] : [quality.root];
    const body = element("div", "body", this.panel, ...over);
    const main = element("main", "analysis", this.tabs.root, body);
    page.replaceChildren(this.header(openers), main);
  }

  /** Brings a tab up. */
  show(name: TabName): void {
    const tab = this.made.get(name) ?? TABS[name].make(this.context);
    this.made.set(name, tab);
    this.tabs.show(name);
    this.panel.replaceChildren(tab.root);
    this.panel.scrollTop = 0;
    tab.shown?.();
  }

  dispose(): void {
    for (const tab of this.made.values()) tab.dispose?.();
  }

  private header(openers: readonly HTMLElement[]): HTMLElement {
    const { name, headline } = this.analysis;
    const rank = rankText(this.analysis);
    const told = rank === "" ? name : `${name}#${String(this.analysis.rank)} (${rank})`;
    const rest = headline.startsWith(`${told}: `) ? headline.slice(told.length + 2) : headline;
    const said = element("p", "headline", rest);
    said.title = rest;
    const ranks = rank === "" ? [] : [element("p", "rank", rank)];
    const tools = element("div", "tools", ...openers);
    return element("header", "header", element("h1", "", name), ...ranks, said, tools);
  }
}
