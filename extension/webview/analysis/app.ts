import type { Analysis, RowRange, TableOrder } from "../../src/protocol";
import type { PageCommand } from "../page/commands";
import { element } from "../page/dom";
import { emptyState } from "../page/emptyState";
import type { Host } from "../page/host";
import { AnalysisView } from "./analysisView";
import { AnalysisAsking } from "./asking";
import type { FromPage, ToPage } from "./messages";
import { TAB_NAMES, type TabName } from "./tabNames";

const LOADING = "Summing up… A large profile takes a while at first.";

/** The page: the analysis it is told to show, or the empty state. */
export class App {
  private view: AnalysisView | undefined;
  private readonly asking: AnalysisAsking;
  private tab: TabName;

  constructor(
    private readonly root: HTMLElement,
    private readonly host: Host<FromPage, ToPage>,
  ) {
    this.asking = new AnalysisAsking((message) => {
      host.post(message);
    });
    const state = host.readState();
    this.tab = TAB_NAMES.find((name) => name === state) ?? TAB_NAMES[0];
  }

  start(): void {
    this.showLoading();
    this.host.listen((message) => {
      this.receive(message);
    });
    this.host.post({ type: "ready" });
  }

  private receive(message: ToPage): void {
    switch (message.type) {
      case "loading":
        this.showLoading();
        break;
      case "analysis":
        this.show(message.analysis, message.message);
        break;
      case "tab":
        this.chooseTab(message.tab);
        this.view?.show(message.tab);
        break;
      case "table":
      case "flameMatch":
      case "baseline":
      case "failed":
        this.asking.settle(message);
    }
  }

  private showLoading(): void {
    this.clear();
    const loading = element("p", "loading", LOADING);
    loading.setAttribute("role", "status");
    this.root.replaceChildren(loading);
  }

  private clear(): void {
    this.view?.dispose();
    this.view = undefined;
    this.asking.forget();
  }

  private show(analysis: Analysis | null, message: string): void {
    this.clear();
    if (analysis === null) {
      const run = (command: PageCommand): void => {
        this.host.post({ type: "run", command });
      };
      this.root.replaceChildren(emptyState("No analysis yet", message, run));
      return;
    }
    const { directory } = analysis;
    const actions = {
      goToLine: (file: string, line: number) => {
        this.host.post({ type: "goToLine", directory, file, line });
      },
      showOnTimeline: (file: string, line: number) => {
        this.host.post({ type: "showOnTimeline", directory, file, line });
      },
      showRange: (fromNs: number, toNs: number) => {
        this.host.post({ type: "showRange", directory, fromNs, toNs });
      },
      asking: this.asking,
      copyRows: (order: Required<TableOrder>, ranges: readonly RowRange[] | null) => {
        this.host.post({ type: "copyRows", directory, order, ranges });
      },
      saveRows: (order: Required<TableOrder>) => {
        this.host.post({ type: "saveRows", directory, order });
      },
    };
    this.view = new AnalysisView(this.root, analysis, actions, (tab) => {
      this.chooseTab(tab);
    });
    this.view.show(this.tab);
  }

  private chooseTab(tab: TabName): void {
    this.tab = tab;
    this.host.writeState(tab);
  }
}
