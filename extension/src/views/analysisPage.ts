// The analysis' page in a webview.

import * as vscode from "vscode";

import type { FromPage, ToPage } from "../../webview/analysis/messages";
import type { TabName } from "../../webview/analysis/tabNames";
import { sentence } from "../errors";
import { tellingFailure } from "../messages";
import type { Services } from "../services";
import { goToLine } from "../sources/goToLine";
import { answerOf, type Question } from "./analysisAnswers";
import { parseFromAnalysis, parseTab } from "./analysisMessages";
import { type BaselineQuestion, chooseBaseline } from "./baseline";
import { copyRows, saveRows } from "./tableRows";
import { type CommonQuestion, WebviewPage } from "./webviewPage";

export class AnalysisPage extends WebviewPage<ToPage, FromPage> {
  /** The tab to bring up once the page is ready. */
  #pendingTab: TabName | undefined;

  constructor(
    services: Services,
    webview: vscode.Webview,
    sourceColumn: vscode.ViewColumn,
    message: string,
  ) {
    const bundle = { name: "analysis", title: "Sidelight Analysis" };
    super(services, webview, sourceColumn, message, bundle);
  }

  goTo(argument: unknown): void {
    this.#pendingTab = parseTab(argument) ?? this.#pendingTab;
    void this.goToPending();
  }

  protected parse(message: unknown): FromPage | undefined {
    return parseFromAnalysis(message);
  }

  protected async load(directory: string): Promise<ToPage> {
    this.post({ type: "loading" });
    const analysis = await this.services.server.request("sidelight/analysis", { directory });
    return { type: "analysis", analysis, message: "" };
  }

  protected empty(message: string): ToPage {
    return { type: "analysis", analysis: null, message };
  }

  protected goToPending(): Promise<void> {
    if (this.isReady && this.#pendingTab !== undefined) {
      this.post({ type: "tab", tab: this.#pendingTab });
      this.#pendingTab = undefined;
    }
    return Promise.resolve();
  }

  protected async answer(asked: Exclude<FromPage, CommonQuestion>): Promise<void> {
    if ("request" in asked) {
      await this.#ask(asked);
      return;
    }
    await tellingFailure(async () => {
      switch (asked.type) {
        case "goToLine": {
          const { directory, file, line } = asked;
          await goToLine(this.services, { directory, file, line }, this.sourceColumn);
          break;
        }
        case "showOnTimeline":
        case "showRange":
          await vscode.commands.executeCommand("sidelight.showTimeline", asked);
          break;
        case "copyRows":
          await copyRows(this.services, asked, asked.ranges);
          break;
        case "saveRows":
          await saveRows(this.services, asked);
          break;
      }
    });
  }

  async #ask(question: Question | BaselineQuestion): Promise<void> {
    try {
      this.post(
        question.type === "chooseBaseline"
          ? await chooseBaseline(this.services, question)
          : await answerOf(this.services.server, question),
      );
    } catch (error) {
      this.post({ type: "failed", request: question.request, message: sentence(error) });
    }
  }
}
