// The timeline's page, with an extension that answers from a profile.

import type { Page } from "@playwright/test";

import type {
  EventDetails,
  Find,
  Timeline,
  TimelineArea,
  TimelineCounters,
  TimelineMarker,
  TimelineMatch,
  TimelineUtilisation,
  TimelineWindow,
} from "../../../../extension/src/protocol";
import type { ColourBy, FromPage, ToPage } from "../../../../extension/webview/timeline/messages";
import { OpenPage, type OpenOptions } from "./openPage";

type Question = Exclude<
  Extract<FromPage, { readonly request: number }>,
  { readonly type: "changeMarkers" }
>;

/** A profile that a page can be shown. */
export interface ProfileAnswers {
  readonly timeline: Timeline;
  window(
    fromNs: number,
    toNs: number,
    width: number,
    find?: Find | null,
    colourBy?: ColourBy,
  ): Answer<TimelineWindow>;
  details(event: number): Answer<EventDetails>;
  area?(fromNs: number, toNs: number, tracks: readonly number[]): Answer<TimelineArea>;
  match?(
    find: Find,
    event: number | null,
    atNs: number,
    direction: "next" | "previous",
  ): Answer<TimelineMatch | null>;
  utilisation?(
    fromNs: number,
    toNs: number,
    width: number,
    groups: readonly (readonly number[])[],
  ): Answer<TimelineUtilisation>;
  counters?(fromNs: number, toNs: number, width: number): Answer<TimelineCounters>;
}

type Answer<T> = T | Promise<T>;

/** The extension's end of an open timeline. */
export class OpenTimeline extends OpenPage<FromPage, ToPage> {
  /** The profile's, whichever page sets them. */
  markers: readonly TimelineMarker[] = [];

  /** Why markers are not kept; empty where they are. */
  refusesMarkers = "";

  private constructor(
    page: Page,
    public profile: ProfileAnswers | undefined,
  ) {
    super(page);
  }

  /** Opens the page and, if there is a profile, shows it. */
  static async open(
    page: Page,
    profile: ProfileAnswers | undefined,
    { markers = [], ...options }: OpenOptions & Partial<Pick<OpenTimeline, "markers">> = {},
  ): Promise<OpenTimeline> {
    const timeline = new OpenTimeline(page, profile);
    timeline.markers = markers;
    await timeline.load("timeline", options);
    return timeline;
  }

  protected async answer(message: FromPage): Promise<void> {
    const { profile } = this;
    switch (message.type) {
      case "ready":
        await this.send({
          type: "timeline",
          timeline: profile?.timeline ?? null,
          message: "Profile a script, and its timeline appears here.",
        });
        break;
      case "getWindow":
      case "getDetails":
      case "getArea":
      case "getMatch":
      case "getUtilisation":
      case "getCounters":
        await this.send(await this.answered(message));
        break;
      case "changeMarkers": {
        const { request, removed, added } = message;
        if (this.refusesMarkers !== "") {
          await this.send({ type: "failed", request, message: this.refusesMarkers });
          break;
        }
        const texts = new Set(this.markers.map((marker) => JSON.stringify(marker)));
        for (const marker of removed) texts.delete(JSON.stringify(marker));
        for (const marker of added) texts.add(JSON.stringify(marker));
        const markers = [...texts].map((text) => JSON.parse(text) as TimelineMarker);
        this.markers = markers.sort((one, other) => one.atNs - other.atNs);
        await this.send({ type: "markers", request, markers: this.markers });
        break;
      }
      case "reveal":
      case "choosePlace":
      case "locate":
      case "copyView":
      case "savePicture":
      case "run":
        break;
    }
  }

  private async answered(message: Question): Promise<ToPage> {
    const { request } = message;
    try {
      return await answerOf(this.profile, message);
    } catch (error) {
      return { type: "failed", request, message: (error as Error).message };
    }
  }
}

async function answerOf(profile: ProfileAnswers | undefined, asked: Question): Promise<ToPage> {
  const { request } = asked;
  if (profile === undefined) throw new Error("There is no profile.");
  switch (asked.type) {
    case "getWindow": {
      const { fromNs, toNs, width, find, colourBy } = asked;
      const window = await profile.window(fromNs, toNs, width, find, colourBy);
      return { type: "window", request, window };
    }
    case "getDetails":
      return { type: "details", request, details: await profile.details(asked.event) };
    case "getArea": {
      const area = await profile.area?.(asked.fromNs, asked.toNs, asked.tracks);
      return { type: "area", request, area: answered(area) };
    }
    case "getMatch": {
      const { find, event, atNs, direction } = asked;
      const match = await profile.match?.(find, event, atNs, direction);
      return { type: "match", request, match: answered(match) };
    }
    case "getUtilisation": {
      const { fromNs, toNs, width, groups } = asked;
      const utilisation = await profile.utilisation?.(fromNs, toNs, width, groups);
      return { type: "utilisation", request, utilisation: answered(utilisation) };
    }
    case "getCounters": {
      const counters = await profile.counters?.(asked.fromNs, asked.toNs, asked.width);
      return { type: "counters", request, counters: answered(counters) };
    }
  }
}

function answered<T>(answer: T | undefined): T {
  if (answer === undefined) throw new Error("This profile has no answer to that.");
  return answer;
}
