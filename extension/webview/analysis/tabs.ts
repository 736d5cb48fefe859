// Which tab has what.

import { rooflineTab } from "../roofline/rooflineTab";
import { summaryTab } from "../summary/summaryTab";
import type { TabKind } from "./tab";
import type { TabName } from "./tabNames";

export const TABS: Readonly<Record<TabName, TabKind>> = {
  summary: { title: "Summary", make: summaryTab },
  roofline: { title: "Roofline", make: rooflineTab },
};
