// The analysis' page, with an extension that shows what the server says of a profile.

import type { Page } from "@playwright/test";

import type { Overview } from "../../../../extension/src/documents";
import type { Analysis } from "../../../../extension/src/protocol";
import { answerOf, type Question } from "../../../../extension/src/views/analysisAnswers";
import type { FromPage, ToPage } from "../../../../extension/webview/analysis/messages";
import { OpenPage, type OpenOptions } from "./openPage";

/** What the extension asks. */
export type AskedServer = Parameters<typeof answerOf>[0];

/** A profile that the page can be shown. */
export interface AnalysisAnswers {
  readonly analysis: Analysis;
  /** What answers for its tables, and finds frames. */
  readonly server?: AskedServer;
  /** What moved since the baseline that is chosen; none is where this is left out. */
  readonly changeJson?: string;
}

/** An analysis with parts of it exchanged, for what no recording on this machine has. */
export function changed(
  { analysis, ...others }: AnalysisAnswers,
  changes: Partial<Overview>,
): AnalysisAnswers {
  const overview = { ...(JSON.parse(analysis.overviewJson) as Overview), ...changes };
  return { ...others, analysis: { ...analysis, overviewJson: JSON.stringify(overview) } };
}

/** What the extension answers, also where the server refuses. */
async function answered(server: AskedServer, question: Question): Promise<ToPage> {
  try {
    return await answerOf(server, question);
  } catch (error) {
    const { request } = question;
    return { type: "failed", request, message: (error as Error).message };
  }
}

/** The extension's end of an open analysis. */
export class OpenAnalysis extends OpenPage<FromPage, ToPage> {
  private constructor(
    page: Page,
    public profile: AnalysisAnswers | undefined,
  ) {
    super(page);
  }

  /** Opens the page and, if there is a profile, shows it. */
  static async open(
    page: Page,
    profile: AnalysisAnswers | undefined,
    options: OpenOptions = {},
  ): Promise<OpenAnalysis> {
    const analysis = new OpenAnalysis(page, profile);
    await analysis.load("analysis", options);
    return analysis;
  }

  protected async answer(message: FromPage): Promise<void> {
    switch (message.type) {
      case "ready":
        await this.send({
          type: "analysis",
          analysis: this.profile?.analysis ?? null,
          message: "Profile a script, and its analysis appears here.",
        });
        break;
      case "goToLine":
      case "showOnTimeline":
      case "showRange":
      case "copyRows":
      case "saveRows":
      case "run":
        break;
      case "chooseBaseline": {
        const { request } = message;
        const { changeJson = null } = this.profile ?? {};
        await this.send({ type: "baseline", request, changeJson });
        break;
      }
      case "getTable":
      case "getFlameMatch":
        if (this.profile?.server === undefined) break;
        await this.send(await answered(this.profile.server, message));
        break;
    }
  }
}
