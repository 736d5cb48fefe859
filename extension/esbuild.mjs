// Bundles the extension (dist/extension.js), the pages (dist/webview/) and, with --tests, what runs
// inside the extension host (dist/tests/).
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
};

await build({ ...host, entryPoints: ["extension/src/extension.ts"], outfile: "dist/extension.js" });

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
