// What a tab of the page is, and what it is given.

import type { Overview } from "../../src/documents";
import type { Analysis } from "../../src/protocol";

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
