// Opens the examples in a VS Code in the browser, with Sidelight in it, until it is interrupted.
//   npm run editor -- [PORT]

import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { CodeServer, installExtension } from "../../tests/e2e/support/codeServer";
import { PYTHON, ROOT } from "../../tests/e2e/support/tools";

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "sidelight-editor-"));

try {
  const examples = path.join(scratch, "examples");
  fs.cpSync(path.join(ROOT, "examples"), examples, { recursive: true });
  const extensions = path.join(scratch, "extensions");
  const directory = path.join(scratch, "editor");
  installExtension(extensions, directory);

  const interrupted = new Promise((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  const port = process.argv[2];
  const server = await CodeServer.start(extensions, {
    directory,
    settings: {},
    machineSettings: { "sidelight.server.python": PYTHON, "sidelight.python.interpreter": PYTHON },
    workspaceTrust: false,
    ...(port === undefined ? {} : { port: Number(port) }),
  });
  const url = server.url(examples, path.join(examples, "rmsnorm.py"));
  console.log(`VS Code with Sidelight is at ${url} (Ctrl-C ends it)`);
  await interrupted;
  await server.stop();
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
