// What a tab of the page is, and what it is given.

import type { Overview } from "../../src/documents";
import type { Analysis, RowRange, TableOrder } from "../../src/protocol";
import type { AnalysisAsking } from "./asking";

/** What a tab shows, and what it can ask for. */
export interface TabContext {
  readonly analysis: Analysis;
  readonly overview: Overview;
  /** Opens a line of the profile's source. */
  readonly goToLine: (file: string, line: number) => void;
  /** Goes to a line's device time on the timeline. */
  readonly showOnTimeline: (file: string, line: number) => void;
  /** Goes to a stretch of time on the timeline. */
  readonly showRange: (fromNs: number, toNs: number) => void;
  readonly asking: AnalysisAsking;
  /** Puts rows of a table on the clipboard; null for all. */
  readonly copyRows: (order: Required<TableOrder>, ranges: readonly RowRange[] | null) => void;
  /** Has all rows of a table written to a file. */
  readonly saveRows: (order: Required<TableOrder>) => void;
}

export interface Tab {
  readonly root: HTMLElement;
  /** Called each time after it came into view. */
  readonly shown?: () => void;
  /** Called when its profile makes way for another. */
  readonly dispose?: () => void;
}

export interface TabKind {
  readonly title: string;
  readonly make: (context: TabContext) => Tab;
}
