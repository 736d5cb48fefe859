// The page as the editor opens it: the real bundle under a strict content security policy, with an
// extension that answers from a profile.

import { resolve } from "node:path";

import type { Page } from "@playwright/test";
import { build } from "esbuild";

import type {
  EventDetails,
  Find,
  Timeline,
  TimelineArea,
  TimelineCounters,
  TimelineMatch,
  TimelineUtilisation,
  TimelineWindow,
} from "../../../../extension/src/protocol";
import type { ColourBy, FromPage, ToPage } from "../../../../extension/webview/timeline/messages";
import { type EditorTheme, THEMES } from "./themes";

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

const ORIGIN = "https://sidelight.test";
// Tests run from the top of the checkout.
const MAIN = resolve("extension/webview/timeline/main.ts");

const HTML = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; script-src 'nonce-abc'; style-src ${ORIGIN}">
    <link rel="stylesheet" href="${ORIGIN}/timeline.css">
    <title>Sidelight Timeline</title>
  </head>
  <body>
    <script nonce="abc" src="${ORIGIN}/timeline.js"></script>
  </body>
</html>`;

let bundle: Promise<Record<string, string>> | undefined;

function bundled(): Promise<Record<string, string>> {
  bundle ??= build({
    bundle: true,
    write: false,
    format: "iife",
    target: "es2023",
    entryPoints: { timeline: MAIN },
    outdir: "/",
  }).then(({ outputFiles }) =>
    Object.fromEntries(outputFiles.map((file) => [file.path.split("/").at(-1) ?? "", file.text])),
  );
  return bundle;
}

/** The extension's end of an open page. */
export class OpenTimeline {
  /** Everything the page has said. */
  readonly received: FromPage[] = [];
  /** What the page's console complained of, violations of the policy too. */
  readonly complaints: string[] = [];
  /** What the page last kept for its next life. */
  state: unknown;

  private constructor(
    readonly page: Page,
    public profile: ProfileAnswers | undefined,
  ) {}

  /** Opens the page and, if there is a profile, shows it. */
  static async open(
    page: Page,
    profile: ProfileAnswers | undefined,
    options: { readonly state?: unknown; readonly theme?: EditorTheme } = {},
  ): Promise<OpenTimeline> {
    const timeline = new OpenTimeline(page, profile);
    const files = await bundled();
    await page.route(`${ORIGIN}/**`, (route) => {
      const name = new URL(route.request().url()).pathname.slice(1);
      return name === ""
        ? route.fulfill({ contentType: "text/html", body: HTML })
        : route.fulfill({
            contentType: name.endsWith(".css") ? "text/css" : "text/javascript",
            body: files[name] ?? "",
          });
    });
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") {
        timeline.complaints.push(message.text());
      }
    });
    page.on("pageerror", (error) => {
      timeline.complaints.push(error.message);
    });
    await page.exposeFunction("sidelightPost", (message: FromPage) => timeline.answer(message));
    await page.exposeFunction("sidelightKeep", (state: unknown) => {
      timeline.state = state;
    });
    await page.addInitScript(`{
      const state = ${JSON.stringify(options.state ?? null)};
      globalThis.acquireVsCodeApi = () => ({
        postMessage: (message) => void sidelightPost(message),
        getState: () => state ?? undefined,
        setState: (kept) => void sidelightKeep(kept),
      });
    }`);
    await page.goto(`${ORIGIN}/`);
    await timeline.useTheme(options.theme ?? THEMES.dark);
    return timeline;
  }

  /** Says something to the page. */
  async send(message: ToPage): Promise<void> {
    await this.page.evaluate((data) => {
      window.postMessage(data, "*");
    }, message);
  }

  async useTheme({ className, variables }: EditorTheme): Promise<void> {
    await this.page.evaluate(
      ([name, values]) => {
        document.body.className = name;
        for (const [variable, value] of Object.entries(values)) {
          document.documentElement.style.setProperty(`--vscode-${variable}`, value);
        }
      },
      [className, variables] as const,
    );
  }

  /** What the page has asked for, of one kind. */
  asked<Type extends FromPage["type"]>(type: Type): Extract<FromPage, { type: Type }>[] {
    return this.received.filter(
      (message): message is Extract<FromPage, { type: Type }> => message.type === type,
    );
  }

  private async answer(message: FromPage): Promise<void> {
    this.received.push(message);
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
      case "reveal":
      case "choosePlace":
      case "locate":
      case "copyView":
      case "run":
        break;
    }
  }

  private async answered(
    message: Extract<FromPage, { readonly request: number }>,
  ): Promise<ToPage> {
    const { request } = message;
    try {
      return await answerOf(this.profile, message);
    } catch (error) {
      return { type: "failed", request, message: (error as Error).message };
    }
  }
}

async function answerOf(
  profile: ProfileAnswers | undefined,
  asked: Extract<FromPage, { readonly request: number }>,
): Promise<ToPage> {
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
