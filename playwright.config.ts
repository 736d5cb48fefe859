import { defineConfig } from "@playwright/test";

import { browserPath } from "./tests/e2e/support/tools";

export default defineConfig({
  // One at a time: each test has an editor of its own, with all its processes.
  workers: 1,
  retries: 0,
  forbidOnly: true,
  // Far above what anything takes: the machine may be slow and busy.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  reporter: [["list"]],
  outputDir: "test-results",
  // Pictures that somebody has looked at; `make looks` takes them anew.
  snapshotPathTemplate: "{testDir}/looks/{arg}{ext}",
  use: {
    viewport: { width: 1400, height: 900 },
    actionTimeout: 120_000,
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: browserPath(),
      args: [
        "--no-sandbox",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--disable-gpu",
      ],
    },
  },
  projects: [
    // The pages alone, in a plain browser.
    { name: "page", testDir: "tests/extension/page" },
    // The extension's code inside the editor's extension host.
    { name: "host", testDir: "tests/extension/host" },
    // Everything, in a real VS Code.
    { name: "editor", testDir: "tests/e2e", testIgnore: "screenshots.spec.ts" },
    // The pictures of README.md, taken the same way.
    {
      name: "screenshots",
      testDir: "tests/e2e",
      testMatch: ["screenshots.spec.ts", "tour.spec.ts"],
    },
    // No test either: figures, for people to compare.
    { name: "bench", testDir: "bench", testMatch: "*_bench.ts" },
  ],
});
