// The summary: what matters most, then what time and capacity went to.

import type { Tab, TabContext } from "../analysis/tab";
import { element } from "../page/dom";
import { headlineSection } from "./headline";

export function summaryTab(context: TabContext): Tab {
  return { root: element("div", "summary", ...headlineSection(context)) };
}
