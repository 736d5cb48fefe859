// What a profile is compared with: a person chooses, and the server tells what moved since then.

import type { FromPage, ToPage } from "../../webview/analysis/messages";
import type { Services } from "../services";
import { pickBaseline } from "./profilePick";

export type BaselineQuestion = Extract<FromPage, { readonly type: "chooseBaseline" }>;

/** Has a person choose a baseline, and asks the server. */
export async function chooseBaseline(
  services: Services,
  { request, directory }: BaselineQuestion,
): Promise<ToPage> {
  const baseline = await pickBaseline(services, directory);
  if (baseline === undefined) return { type: "baseline", request, changeJson: null };
  const parameters = { directory, baseline };
  const { changeJson } = await services.server.request("sidelight/rooflineChange", parameters);
  return { type: "baseline", request, changeJson };
}
