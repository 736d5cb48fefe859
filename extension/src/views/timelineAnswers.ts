// What a timeline's page asks of the server, and the answer as the page takes it.

import type * as vscode from "vscode";

import type { FromPage, ToPage } from "../../webview/timeline/messages";
import type { Services } from "../services";

/** What a page may ask the server. */
export type Question = Extract<FromPage, { readonly request: number }>;

/**
 * What a newer question must have in common with an older one for nobody to wait for that any more;
 * undefined where each is waited for.
 */
export function kindOf(question: Question): string | undefined {
  switch (question.type) {
    case "getWindow":
      return question.find === null ? question.type : `${question.type} of what is found`;
    case "getArea":
    case "getMatch":
    case "getCounters":
      return question.type;
    case "getUtilisation":
      return `${question.type} of the ${question.of}`;
    case "getDetails":
    case "changeMarkers":
      return undefined;
  }
}

/**
 * Asks the server.
 *
 * @param token Says that the answer is not waited for any more.
 */
export async function answerOf(
  server: Services["server"],
  question: Question,
  token?: vscode.CancellationToken,
): Promise<ToPage> {
  const { request } = question;
  switch (question.type) {
    case "getWindow": {
      const { directory, fromNs, toNs, width, find, colourBy } = question;
      const parameters = { directory, fromNs, toNs, width, find, colourBy };
      const window = await server.request("sidelight/timelineWindow", parameters, token);
      return { type: "window", request, window };
    }
    case "getDetails": {
      const { directory, event } = question;
      const details = await server.request("sidelight/timelineEvent", { directory, event }, token);
      return { type: "details", request, details };
    }
    case "getArea": {
      const { directory, fromNs, toNs, tracks } = question;
      const parameters = { directory, fromNs, toNs, tracks };
      const area = await server.request("sidelight/timelineArea", parameters, token);
      return { type: "area", request, area };
    }
    case "getMatch": {
      const { directory, find, event, atNs, direction } = question;
      const parameters = { directory, find, event, atNs, direction };
      const match = await server.request("sidelight/timelineMatch", parameters, token);
      return { type: "match", request, match };
    }
    case "getUtilisation": {
      const { directory, fromNs, toNs, width, groups } = question;
      const parameters = { directory, fromNs, toNs, width, groups };
      const utilisation = await server.request("sidelight/timelineUtilisation", parameters, token);
      return { type: "utilisation", request, utilisation };
    }
    case "getCounters": {
      const { directory, fromNs, toNs, width } = question;
      const parameters = { directory, fromNs, toNs, width };
      const counters = await server.request("sidelight/timelineCounters", parameters, token);
      return { type: "counters", request, counters };
    }
    case "changeMarkers": {
      const { directory, removed, added } = question;
      const parameters = { directory, removed, added };
      const { markers } = await server.request("sidelight/timelineMarkers", parameters, token);
      return { type: "markers", request, markers };
    }
  }
}
