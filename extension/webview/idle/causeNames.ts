import type { CauseTime } from "../../src/documents";
import type { Look } from "../page/stackedBar";

/** Causes in the words of `sidelight summary`, and how they are drawn. */
export const CAUSE_NAMES: Readonly<
  Record<CauseTime["cause"], { readonly name: string; readonly look: Look }>
> = {
  host_late: { name: "the host launched late", look: "first" },
  synchronize: { name: "the host had waited for it", look: "second" },
  data_loader: { name: "the host fetched a batch", look: "third" },
  compilation: { name: "the host compiled", look: "fourth" },
  dma_wait: { name: "data was being moved", look: "fifth" },
  collective_wait: { name: "a collective was under way", look: "host" },
  between_operators: { name: "the program itself", look: "first" },
  unknown: { name: "not known", look: "rest" },
};
