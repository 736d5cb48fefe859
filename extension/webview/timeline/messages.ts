// What the timeline's page and the extension tell each other. Types only: each side checks `type`.

import type {
  AreaParams,
  CounterParams,
  EventDetails,
  LineOnTimeline,
  LineParams,
  MarkersParams,
  MatchParams,
  Timeline,
  TimelineArea,
  TimelineCounters,
  TimelineMarker,
  TimelineMatch,
  TimelineUtilisation,
  TimelineWindow,
  UtilisationParams,
  WindowParams,
} from "../../src/protocol";
import type { PageCommand } from "../page/commands";
import type { Range } from "./model/range";
import type { SavedView } from "./model/savedViews";

/** What spans are coloured by that only the server knows. */
export type ColourBy = NonNullable<WindowParams["colourBy"]>;

/** A stretch of a profile's time. */
export interface ProfileRange extends Range {
  readonly directory: string;
}

/** From the page to the extension. */
export type FromPage =
  /** The page is there (again): tell it everything. */
  | { readonly type: "ready" }
  /** A part of the timeline at a resolution; answered by `window` with the same `request`. */
  | ({ readonly type: "getWindow"; readonly request: number } & Required<WindowParams>)
  /** Everything about an event; answered by `details` with the same `request`. */
  | {
      readonly type: "getDetails";
      readonly request: number;
      readonly directory: string;
      readonly event: number;
    }
  /** Sums over a part of the timeline; answered by `area`. */
  | ({ readonly type: "getArea"; readonly request: number } & Required<AreaParams>)
  /** The event found before or after a place; answered by `match`. */
  | ({ readonly type: "getMatch"; readonly request: number } & MatchParams)
  /** How busy groups of tracks are, in the whole run or in view; answered by `utilisation`. */
  | ({
      readonly type: "getUtilisation";
      readonly request: number;
      readonly of: "run" | "view";
    } & UtilisationParams)
  /** Quantities over time; answered by `counters`. */
  | ({ readonly type: "getCounters"; readonly request: number } & CounterParams)
  /** Markers that go and that come, if any do; answered by `markers`, all that there are then. */
  | ({ readonly type: "changeMarkers"; readonly request: number } & MarkersParams)
  /** Put what shows this view again on the clipboard. */
  | { readonly type: "copyView"; readonly directory: string; readonly view: SavedView }
  /** Save a picture of what is seen where a person says; PNG is in base64. */
  | { readonly type: "savePicture"; readonly format: "svg" | "png"; readonly content: string }
  /** Go to a source line in the editor. */
  | { readonly type: "reveal"; readonly uri: string; readonly line: number }
  /** Let a person choose among the source lines that an event's device time is divided over. */
  | { readonly type: "choosePlace"; readonly directory: string; readonly event: number }
  /** Look for a source file that is not where it was, and go to a line of it. */
  | {
      readonly type: "locate";
      readonly directory: string;
      readonly file: string;
      readonly line: number;
    }
  /** A command of the empty state's buttons. */
  | { readonly type: "run"; readonly command: PageCommand };

/** From the extension to the page. */
export type ToPage =
  /** Show this profile; null shows the empty state with `message`. */
  | { readonly type: "timeline"; readonly timeline: Timeline | null; readonly message: string }
  | { readonly type: "window"; readonly request: number; readonly window: TimelineWindow }
  | { readonly type: "details"; readonly request: number; readonly details: EventDetails }
  | { readonly type: "area"; readonly request: number; readonly area: TimelineArea }
  | { readonly type: "match"; readonly request: number; readonly match: TimelineMatch | null }
  | {
      readonly type: "utilisation";
      readonly request: number;
      readonly utilisation: TimelineUtilisation;
    }
  | { readonly type: "counters"; readonly request: number; readonly counters: TimelineCounters }
  | {
      readonly type: "markers";
      readonly request: number;
      readonly markers: readonly TimelineMarker[];
    }
  /** A profile has other markers than before: perhaps another window has set one. */
  | { readonly type: "markersChanged"; readonly directory: string }
  /** What was asked for is not worked out, as the same was asked for of another view since. */
  | { readonly type: "superseded"; readonly request: number }
  /** What was asked for cannot be had; `message` is a sentence for people. */
  | { readonly type: "failed"; readonly request: number; readonly message: string }
  /** Zoom to a line's device time, select the event there, and show all of the line's alike. */
  | {
      readonly type: "goTo";
      readonly directory: string;
      readonly place: LineOnTimeline;
      readonly line: Pick<LineParams, "file" | "line">;
    }
  /** Zoom to a stretch of time. */
  | ({ readonly type: "range" } & ProfileRange)
  /** Show a line's executions over the rest, wherever the view is; null shows all alike again. */
  | {
      readonly type: "follow";
      readonly directory: string;
      readonly line: Pick<LineParams, "file" | "line"> | null;
    }
  /** Show a profile as it was once seen. */
  | { readonly type: "view"; readonly directory: string; readonly view: SavedView };
