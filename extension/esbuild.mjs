// Bundles the extension (dist/extension.js and, loaded when the server starts, dist/connection.js),
// the pages (dist/webview/) and, with --tests, what runs inside the extension host (dist/tests/).
import { build } from "esbuild";

const production = !process.argv.includes("--tests");
const common = {
  bundle: true,
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
await build({
  ...host,
  external: [...host.external, "*/connection"],
  entryPoints: ["extension/src/extension.ts"],
  outfile: "dist/extension.js",
});
await build({
  ...host,
  entryPoints: ["extension/src/server/connection.ts"],
  outfile: "dist/connection.js",
});

await build({
  ...common,
  platform: "browser",
  format: "iife",
  target: "es2023",
  entryPoints: { timeline: "extension/webview/timeline/main.ts" },
  outdir: "dist/webview",
});

if (!production) {
  await build({
    ...host,
    entryPoints: ["tests/extension/host/index.ts"],
    outfile: "dist/tests/index.js",
  });
}
