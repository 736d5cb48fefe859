// Bundles the extension (dist/extension.js and, loaded when the server starts, dist/connection.js),
// the pages (dist/webview/) and, with --tests, what runs inside the extension host (dist/tests/).
import { writeFile } from "node:fs/promises";

import { build } from "esbuild";

import { thirdPartyNotices } from "./thirdPartyNotices.mjs";

const production = !process.argv.includes("--tests");
const common = {
  bundle: true,
  metafile: true,
  minify: production,
  sourcemap: production ? false : "linked",
  logLevel: "warning",
};

const host = {
  ...common,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode", "mocha"],
  // The editor hooks require(), so that "vscode" is found: what is imported later must go by it too.
  supported: { "dynamic-import": false },
};

// The language client is nine tenths of the code, and no business of activation.
const extension = await build({
  ...host,
  external: [...host.external, "*/connection"],
  entryPoints: ["extension/src/extension.ts"],
  outfile: "dist/extension.js",
});
const connection = await build({
  ...host,
  entryPoints: ["extension/src/server/connection.ts"],
  outfile: "dist/connection.js",
});

const pages = await build({
  ...common,
  platform: "browser",
  format: "iife",
  target: "es2023",
  entryPoints: {
    analysis: "extension/webview/analysis/main.ts",
    timeline: "extension/webview/timeline/main.ts",
  },
  outdir: "dist/webview",
});

const bundles = [extension, connection, pages].map(({ metafile }) => metafile);
await writeFile("dist/THIRD_PARTY_NOTICES.txt", await thirdPartyNotices(bundles));

if (!production) {
  await build({
    ...host,
    entryPoints: ["tests/extension/host/index.ts"],
    outfile: "dist/tests/index.js",
  });
}
