// What the analysis' page and the extension tell each other. Types only: each side checks `type`.

import type { Analysis, LineParams } from "../../src/protocol";
import type { PageCommand } from "../page/commands";
import type { ProfileRange } from "../timeline/messages";
import type { TabName } from "./tabNames";

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
  /** A command of the empty state's buttons. */
  | { readonly type: "run"; readonly command: PageCommand };

/** From the extension to the page. */
export type ToPage =
  /** A profile is being summed up. */
  | { readonly type: "loading" }
  /** Show this profile; null shows the empty state with `message`. */
  | { readonly type: "analysis"; readonly analysis: Analysis | null; readonly message: string }
  /** Bring a tab up. */
  | { readonly type: "tab"; readonly tab: TabName };
