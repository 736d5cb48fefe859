// What the analysis' page and the extension tell each other. Types only: each side checks `type`.

import type {
  Analysis,
  FlameMatch,
  FlameMatchParams,
  LineParams,
  RowRange,
  TableOrder,
} from "../../src/protocol";
import type { PageCommand } from "../page/commands";
import type { ProfileRange } from "../timeline/messages";
import type { TabName } from "./tabNames";

/** Which rows of a profile's table, in which order. */
export interface TableRequest {
  readonly directory: string;
  readonly order: Required<TableOrder>;
}

/** From the page to the extension. */
export type FromPage =
  /** The page is there (again): tell it everything. */
  | { readonly type: "ready" }
  /** Go to a line of the profile's source in the editor. */
  | ({ readonly type: "goToLine" } & LineParams)
  /** Go to a line's device time on the timeline. */
  | ({ readonly type: "showOnTimeline" } & LineParams)
  /** Go to a stretch of time on the timeline. */
  | ({ readonly type: "showRange" } & ProfileRange)
  /** Tell some rows of a table. */
  | ({
      readonly type: "getTable";
      readonly request: number;
      readonly first: number;
      readonly count: number;
    } & TableRequest)
  /** Put rows of a table on the clipboard; null for all. */
  | ({ readonly type: "copyRows"; readonly ranges: readonly RowRange[] | null } & TableRequest)
  /** Write all rows of a table to a file, as CSV. */
  | ({ readonly type: "saveRows" } & TableRequest)
  /** Tell which frames of a flame graph hold a text. */
  | ({ readonly type: "getFlameMatch"; readonly request: number } & FlameMatchParams)
  /** Have a person choose a baseline, and tell what moved under the roofline since then. */
  | {
      readonly type: "chooseBaseline";
      readonly request: number;
      readonly directory: string;
    }
  /** A command of the empty state's buttons. */
  | { readonly type: "run"; readonly command: PageCommand };

/** From the extension to the page. */
export type ToPage =
  /** A profile is being summed up. */
  | { readonly type: "loading" }
  /** Show this profile; null shows the empty state with `message`. */
  | { readonly type: "analysis"; readonly analysis: Analysis | null; readonly message: string }
  /** Bring a tab up. */
  | { readonly type: "tab"; readonly tab: TabName }
  /** The rows of a request: a `TablePage` as JSON text. */
  | { readonly type: "table"; readonly request: number; readonly pageJson: string }
  | { readonly type: "flameMatch"; readonly request: number; readonly match: FlameMatch }
  /** A `RooflineChange` as JSON text; null where no baseline was chosen. */
  | { readonly type: "baseline"; readonly request: number; readonly changeJson: string | null }
  /** A request that could not be answered. */
  | { readonly type: "failed"; readonly request: number; readonly message: string };
