// A page as the editor opens it: the real bundle under a strict content security policy.

import { resolve } from "node:path";

import type { Page } from "@playwright/test";
import { build } from "esbuild";

import { type EditorTheme, THEMES } from "./themes";

const ORIGIN = "https://sidelight.test";
/** Longer than the page waits before it asks for more. */
const QUIET_MS = 300;

export interface OpenOptions {
  /** What an earlier page in this place has kept. */
  readonly state?: unknown;
  readonly theme?: EditorTheme;
}

function html(name: string): string {
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; script-src 'nonce-abc'; style-src ${ORIGIN}">
    <link rel="stylesheet" href="${ORIGIN}/${name}.css">
    <title>Sidelight ${name}</title>
  </head>
  <body>
    <script nonce="abc" src="${ORIGIN}/${name}.js"></script>
  </body>
</html>`;
}

const bundles = new Map<string, Promise<Record<string, string>>>();

function bundled(name: string): Promise<Record<string, string>> {
  const bundle =
    bundles.get(name) ??
    build({
      bundle: true,
      write: false,
      format: "iife",
      target: "es2023",
      // Tests run from the top of the checkout.
      entryPoints: { [name]: resolve(`extension/webview/${name}/main.ts`) },
      outdir: "/",
    }).then(({ outputFiles }) =>
      Object.fromEntries(outputFiles.map((file) => [file.path.split("/").at(-1) ?? "", file.text])),
    );
  bundles.set(name, bundle);
  return bundle;
}

/** The extension's end of an open page. */
export abstract class OpenPage<FromPage extends { readonly type: string }, ToPage> {
  /** Everything the page has said. */
  readonly received: FromPage[] = [];
  /** What the page's console complained of, violations of the policy too. */
  readonly complaints: string[] = [];
  /** What the page last kept for its next life. */
  state: unknown;
  /** How many of the page's messages are being answered. */
  #answering = 0;

  protected constructor(readonly page: Page) {}

  /** Says something to the page. */
  async send(message: ToPage): Promise<void> {
    await this.page.evaluate((data) => {
      window.postMessage(data, "*");
    }, message as unknown);
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

  /** Whether the page asks for nothing for a while of its own time, has all answers, and drew. */
  async isQuiet(): Promise<boolean> {
    const before = this.received.length;
    // The page's own timers, so that a page that gets little time has as much of it.
    await this.page.evaluate(
      (quietMs) =>
        new Promise((resolve) =>
          setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(resolve)), quietMs),
        ),
      QUIET_MS,
    );
    return this.received.length === before && this.#answering === 0;
  }

  /** Answers the page as the extension does. */
  protected abstract answer(message: FromPage): Promise<void>;

  /** Opens the page of a bundle. */
  protected async load(name: string, { state, theme = THEMES.dark }: OpenOptions): Promise<void> {
    const { page } = this;
    const files = await bundled(name);
    await page.route(`${ORIGIN}/**`, (route) => {
      const file = new URL(route.request().url()).pathname.slice(1);
      return file === ""
        ? route.fulfill({ contentType: "text/html", body: html(name) })
        : route.fulfill({
            contentType: file.endsWith(".css") ? "text/css" : "text/javascript",
            body: files[file] ?? "",
          });
    });
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") {
        this.complaints.push(message.text());
      }
    });
    page.on("pageerror", (error) => {
      this.complaints.push(error.message);
    });
    await page.exposeFunction("sidelightPost", (message: FromPage) => {
      this.received.push(message);
      this.#answering += 1;
      return this.answer(message).finally(() => {
        this.#answering -= 1;
      });
    });
    await page.exposeFunction("sidelightKeep", (kept: unknown) => {
      this.state = kept;
    });
    await page.addInitScript(`{
      const state = ${JSON.stringify(state ?? null)};
      globalThis.acquireVsCodeApi = () => ({
        postMessage: (message) => void sidelightPost(message),
        getState: () => state ?? undefined,
        setState: (kept) => void sidelightKeep(kept),
      });
    }`);
    await page.goto(`${ORIGIN}/`);
    await this.useTheme(theme);
  }
}
