// `test` with an editor: README.md says how to use it.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { test as base, expect } from "@playwright/test";

import { CodeServer, installExtension } from "./codeServer";
import { Editor } from "./editor";
import { PYTHON } from "./tools";
import { type Recordings, Workspace } from "./workspace";

export interface Options {
  /** The user's settings, on top of calm ones. */
  settings: Readonly<Record<string, unknown>>;
  /** Settings of the machine: by default all interpreters are the development environment's. */
  machineSettings: Readonly<Record<string, unknown>>;
  /** Whether a folder has to be trusted first, as in a VS Code just installed. */
  workspaceTrust: boolean;
  /** Folders of the test's folder whose programs are on the editor's path, before all others. */
  onPath: readonly string[];
}

interface Opening {
  /** What to open as the workspace; the test's folder if nothing is said. */
  readonly folder?: string;
  /** A file of the folder to show in an editor. */
  readonly file?: string;
}

export interface Fixtures extends Options {
  /** An empty folder, gone after the test. */
  workspace: Workspace;
  /** The running editor's server. */
  server: CodeServer;
  /** Opens the editor's window; again: loads it anew. */
  open: (opening?: Opening) => Promise<Editor>;
}

interface WorkerFixtures {
  /** Where a worker keeps its things. */
  scratch: string;
  recordings: Recordings;
  /** A folder of extensions with Sidelight in it. */
  extensions: string;
}

/** Removes a folder, also one that what was just ended still writes to. */
function remove(directory: string): void {
  fs.rmSync(directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  settings: [{}, { option: true }],
  machineSettings: [
    { "sidelight.server.python": PYTHON, "sidelight.python.interpreter": PYTHON },
    { option: true },
  ],
  workspaceTrust: [false, { option: true }],
  onPath: [[], { option: true }],

  scratch: [
    // Playwright reads from this pattern that the fixture needs no other.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "sidelight-e2e-"));
      await use(scratch);
      remove(scratch);
    },
    { scope: "worker" },
  ],

  recordings: [
    async ({ scratch }, use) => {
      await use({ directory: path.join(scratch, "recordings"), documents: new Map() });
    },
    { scope: "worker" },
  ],

  extensions: [
    async ({ scratch }, use) => {
      const extensions = path.join(scratch, "extensions");
      installExtension(extensions, path.join(scratch, "installing"));
      await use(extensions);
    },
    { scope: "worker", timeout: 600_000 },
  ],

  workspace: async ({ scratch, recordings }, use) => {
    // Every test's folder has the same path, so that a profile taken for one serves another.
    const workspace = new Workspace(path.join(scratch, "workspace"), recordings);
    await use(workspace);
    remove(workspace.directory);
  },

  server: async (
    { scratch, extensions, settings, machineSettings, workspaceTrust, onPath, workspace },
    use,
    info,
  ) => {
    const directory = path.join(scratch, "editor");
    const server = await CodeServer.start(extensions, {
      directory,
      settings: { "sidelight.profile.targetWithoutChip": "cpu", ...settings },
      machineSettings,
      workspaceTrust,
      onPath: onPath.map((folder) => workspace.path(folder)),
    });
    await use(server);
    await server.stop();
    if (info.status !== info.expectedStatus) {
      fs.cpSync(path.join(directory, "logs"), info.outputPath("logs"), { recursive: true });
    }
    remove(directory);
  },

  open: async ({ server, workspace, page }, use) => {
    const outside: string[] = [];
    await page.context().route(
      (url) => url.protocol.startsWith("http") && url.hostname !== "127.0.0.1",
      (route) => {
        outside.push(route.request().url());
        return route.abort();
      },
    );
    await use(async ({ folder = workspace.directory, file } = {}) => {
      const url = server.url(folder, file === undefined ? undefined : workspace.path(file));
      await page.goto(url);
      await expect(page.locator(".monaco-workbench")).toBeVisible();
      if (file !== undefined) {
        await expect(page.locator(".editor-instance .view-line").first()).toBeVisible();
      }
      return new Editor(page);
    });
    // Whatever a test is about: nothing is asked of another machine.
    expect(outside).toEqual([]);
  },
});

export { expect } from "@playwright/test";
