// The page as the editor opens it: the real bundle under a strict content security policy, with an
// extension that answers from a profile.

import { resolve } from "node:path";

import type { Page } from "@playwright/test";
import { build } from "esbuild";

import type { EventDetails, Timeline, TimelineWindow } from "../../../../extension/src/protocol";
import type { FromPage, ToPage } from "../../../../extension/webview/messages";
import { type EditorTheme, THEMES } from "./themes";

/** A profile that a page can be shown. */
export interface ProfileAnswers {
  readonly timeline: Timeline;
  window(fromNs: number, toNs: number, width: number): TimelineWindow | Promise<TimelineWindow>;
  details(event: number): EventDetails | Promise<EventDetails>;
}

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
        await this.send(await this.answered(message));
        break;
      case "reveal":
      case "choosePlace":
      case "locate":
      case "run":
        break;
    }
  }

  private async answered(
    message: Extract<FromPage, { type: "getWindow" | "getDetails" }>,
  ): Promise<ToPage> {
    const { request } = message;
    try {
      if (this.profile === undefined) {
        throw new Error("There is no profile.");
      }
      if (message.type === "getWindow") {
        const { fromNs, toNs, width } = message;
        return { type: "window", request, window: await this.profile.window(fromNs, toNs, width) };
      }
      return { type: "details", request, details: await this.profile.details(message.event) };
    } catch (error) {
      return { type: "failed", request, message: (error as Error).message };
    }
  }
}
