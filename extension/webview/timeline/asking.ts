import type {
  EventDetails,
  TimelineArea,
  TimelineCounters,
  TimelineMarker,
  TimelineMatch,
  TimelineUtilisation,
  TimelineWindow,
} from "../../src/protocol";
import type { FromPage, ToPage } from "./messages";
import { Asking } from "../page/asking";

type Ask = Extract<FromPage, { readonly request: number }>;
type Answer = Exclude<
  Extract<ToPage, { readonly request: number }>,
  { type: "failed" | "superseded" }
>;
type Parameters<Type extends Ask["type"]> = Omit<Extract<Ask, { type: Type }>, "request" | "type">;

/** What the timeline asks. */
export class TimelineAsking extends Asking<Ask, Answer> {
  async window(ask: Parameters<"getWindow">): Promise<TimelineWindow> {
    return (await this.ask({ type: "getWindow", ...ask }, "window")).window;
  }

  async details(ask: Parameters<"getDetails">): Promise<EventDetails> {
    return (await this.ask({ type: "getDetails", ...ask }, "details")).details;
  }

  async area(ask: Parameters<"getArea">): Promise<TimelineArea> {
    return (await this.ask({ type: "getArea", ...ask }, "area")).area;
  }

  async match(ask: Parameters<"getMatch">): Promise<TimelineMatch | null> {
    return (await this.ask({ type: "getMatch", ...ask }, "match")).match;
  }

  async utilisation(ask: Parameters<"getUtilisation">): Promise<TimelineUtilisation> {
    return (await this.ask({ type: "getUtilisation", ...ask }, "utilisation")).utilisation;
  }

  async counters(ask: Parameters<"getCounters">): Promise<TimelineCounters> {
    return (await this.ask({ type: "getCounters", ...ask }, "counters")).counters;
  }

  async markers(ask: Parameters<"changeMarkers">): Promise<readonly TimelineMarker[]> {
    return (await this.ask({ type: "changeMarkers", ...ask }, "markers")).markers;
  }
}
