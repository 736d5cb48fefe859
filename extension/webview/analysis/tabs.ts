// Which tab has what.

import { flameTab } from "../flame/flameTab";
import { idleTab } from "../idle/idleTab";
import { rooflineTab } from "../roofline/rooflineTab";
import { summaryTab } from "../summary/summaryTab";
import { tablesTab } from "../tables/tablesTab";
import type { TabKind } from "./tab";
import type { TabName } from "./tabNames";

export const TABS: Readonly<Record<TabName, TabKind>> = {
  summary: { title: "Summary", make: summaryTab },
  roofline: { title: "Roofline", make: rooflineTab },
  idle: { title: "Idle", make: idleTab },
  tables: { title: "Tables", make: tablesTab },
  flame: { title: "Flame graph", make: flameTab },
};
