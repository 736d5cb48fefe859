// Runs the suite of this folder inside the editor's own extension host, where the whole API is.

import path from "node:path";
import { format } from "node:util";

import { CodeServer } from "../../e2e/support/codeServer";
import { expect, test } from "../../e2e/support/fixtures";
import { PYTHON, ROOT } from "../../e2e/support/tools";
import { SCRIPT } from "../../e2e/support/scripts";

test("the suite in the extension host passes", async ({ scratch, workspace, page }) => {
  workspace.writeProfiled("train.py", SCRIPT);
  const server = await CodeServer.start(path.join(scratch, "no-extensions"), {
    directory: path.join(scratch, "host"),
    settings: {},
    machineSettings: { "sidelight.server.python": PYTHON, "sidelight.python.interpreter": PYTHON },
    workspaceTrust: false,
    options: ["--vscode-option", "enable-smoke-test-driver"],
  });
  try {
    // The editor's own log takes the same way as the suite's output: its lines are marked.
    const said: string[] = [];
    await page.exposeFunction("codeAutomationLog", (_kind: string, values: unknown[]) => {
      const line = format(...values);
      if (line.startsWith("[host]")) {
        said.push(line);
        console.log(line.slice("[host]".length + 1));
      }
    });
    const exit = new Promise<number>((resolve) => {
      void page.exposeFunction("codeAutomationExit", resolve);
    });
    await page.goto(
      server.url(workspace.directory, undefined, [
        ["extensionDevelopmentPath", server.uri(ROOT)],
        ["extensionTestsPath", server.uri(path.join(ROOT, "dist/tests/index.js"))],
        ["skipWelcome", "true"],
      ]),
    );
    expect(await exit).toBe(0);
    expect(said.at(-1)).toMatch(/^\[host\] [1-9]\d* passed, 0 failed$/);
  } finally {
    await server.stop();
  }
});
