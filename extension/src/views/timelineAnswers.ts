// What a timeline's page asks of the server, and the answer as the page takes it.

import type { FromPage, ToPage } from "../../webview/timeline/messages";
import type { Services } from "../services";

/** What a page may ask the server. */
export type Question = Extract<FromPage, { readonly request: number }>;

/** Asks the server. */
export async function answerOf(server: Services["server"], question: Question): Promise<ToPage> {
  const { request } = question;
  switch (question.type) {
    case "getWindow": {
      const { directory, fromNs, toNs, width, find, colourBy } = question;
      const parameters = { directory, fromNs, toNs, width, find, colourBy };
      const window = await server.request("sidelight/timelineWindow", parameters);
      return { type: "window", request, window };
    }
    case "getDetails": {
      const { directory, event } = question;
      const details = await server.request("sidelight/timelineEvent", { directory, event });
      return { type: "details", request, details };
    }
    case "getArea": {
      const { directory, fromNs, toNs, tracks } = question;
      const parameters = { directory, fromNs, toNs, tracks };
      const area = await server.request("sidelight/timelineArea", parameters);
      return { type: "area", request, area };
    }
    case "getMatch": {
      const { directory, find, event, atNs, direction } = question;
      const parameters = { directory, find, event, atNs, direction };
      const match = await server.request("sidelight/timelineMatch", parameters);
      return { type: "match", request, match };
    }
    case "getUtilisation": {
      const { directory, fromNs, toNs, width, groups } = question;
      const parameters = { directory, fromNs, toNs, width, groups };
      const utilisation = await server.request("sidelight/timelineUtilisation", parameters);
      return { type: "utilisation", request, utilisation };
    }
    case "getCounters": {
      const { directory, fromNs, toNs, width } = question;
      const parameters = { directory, fromNs, toNs, width };
      const counters = await server.request("sidelight/timelineCounters", parameters);
      return { type: "counters", request, counters };
    }
    case "changeMarkers": {
      const { directory, removed, added } = question;
      const parameters = { directory, removed, added };
      const { markers } = await server.request("sidelight/timelineMarkers", parameters);
      return { type: "markers", request, markers };
    }
  }
}
