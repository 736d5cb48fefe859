// The summary: what matters most, then what time and capacity went to.

import type { Tab, TabContext } from "../analysis/tab";
import { element } from "../page/dom";
import { collectivesSection } from "./collectives";
import { dmaSection } from "./dma";
import { enginesSection } from "./engines";
import { headlineSection } from "./headline";
import { keyFiguresSection } from "./keyFigures";
import { memorySection } from "./memory";
import { flopsSection, hbmSection } from "./splits";
import { stepTimeSection } from "./stepTime";

const SECTIONS = [
  headlineSection,
  stepTimeSection,
  keyFiguresSection,
  enginesSection,
  flopsSection,
  hbmSection,
  dmaSection,
  memorySection,
  collectivesSection,
] as const;

export function summaryTab(context: TabContext): Tab {
  return { root: element("div", "summary", ...SECTIONS.map((section) => section(context))) };
}
