// What the analysis' page asks of the server, and the answer as the page takes it.

import type { FromPage, ToPage } from "../../webview/analysis/messages";
import type { Services } from "../services";

/** What the page may ask the server. */
export type Question = Exclude<
  Extract<FromPage, { readonly request: number }>,
  { readonly type: "chooseBaseline" }
>;

/** Asks the server. */
export async function answerOf(
  server: Pick<Services["server"], "request">,
  question: Question,
): Promise<ToPage> {
  const { request, directory } = question;
  switch (question.type) {
    case "getTable": {
      const { order, first, count } = question;
      const parameters = { directory, order, first, count };
      const { pageJson } = await server.request("sidelight/table", parameters);
      return { type: "table", request, pageJson };
    }
    case "getFlameMatch": {
      const { graph, text } = question;
      const match = await server.request("sidelight/flameMatch", { directory, graph, text });
      return { type: "flameMatch", request, match };
    }
  }
}
