import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/extension/unit/**/*.test.ts"],
    // Far above what anything takes: the machine may be slow and busy.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
  resolve: {
    // The shell's modules import the editor's API; unit tests of them get a small stand-in.
    alias: {
      vscode: fileURLToPath(new URL("tests/extension/unit/vscode.ts", import.meta.url)),
    },
  },
});
