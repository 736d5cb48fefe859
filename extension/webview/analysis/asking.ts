import type { RooflineChange, TablePage } from "../../src/documents";
import type { FlameMatch } from "../../src/protocol";
import { Asking } from "../page/asking";
import type { FromPage, ToPage } from "./messages";

type Ask = Extract<FromPage, { readonly request: number }>;
type Answer = Exclude<Extract<ToPage, { readonly request: number }>, { type: "failed" }>;
type Parameters<Type extends Ask["type"]> = Omit<Extract<Ask, { type: Type }>, "request" | "type">;

/** What the analysis asks. */
export class AnalysisAsking extends Asking<Ask, Answer> {
  /** Some rows of a table. */
  async table(ask: Parameters<"getTable">): Promise<TablePage> {
    const { pageJson } = await this.ask({ type: "getTable", ...ask }, "table");
    return JSON.parse(pageJson) as TablePage;
  }

  /** The frames of a flame graph that hold a text. */
  async flameMatch(ask: Parameters<"getFlameMatch">): Promise<FlameMatch> {
    return (await this.ask({ type: "getFlameMatch", ...ask }, "flameMatch")).match;
  }

  /** What moved under the roofline since a profile that a person chooses; null if none is chosen. */
  async chooseBaseline(ask: Parameters<"chooseBaseline">): Promise<RooflineChange | null> {
    const { changeJson } = await this.ask({ type: "chooseBaseline", ...ask }, "baseline");
    return changeJson === null ? null : (JSON.parse(changeJson) as RooflineChange);
  }
}
