// Which tab has what.

import { summaryTab } from "../summary/summaryTab";
import type { TabKind } from "./tab";
import type { TabName } from "./tabNames";

export const TABS: Readonly<Record<TabName, TabKind>> = {
  summary: { title: "Summary", make: summaryTab },
};
