import fc from "fast-check";
import { expect, test } from "vitest";

import type { Python } from "../../../../extension/src/python/probe";
import {
  checkFailure,
  fileFailure,
  noBasePython,
  pipFailure,
  venvFailure,
} from "../../../../extension/src/server/makingFailures";

const OLD: Python = { path: "/usr/bin/python3", version: [3, 9, 2], hasTorch: true, hasVenv: true };
const BARE: Python = { ...OLD, version: [3, 11, 2], hasVenv: false };

const UNREACHABLE = `
WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(...: Failed to
establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/numpy/
ERROR: Could not find a version that satisfies the requirement numpy>=1.26 (from versions: none)
ERROR: No matching distribution found for numpy>=1.26
`;

test("no Python new enough: what was found is named", () => {
  const broken = { path: "python3.14", problem: "there is no such program" };
  expect(noBasePython([broken, OLD]).message).toContain("only /usr/bin/python3 (3.9.2)");
  expect(noBasePython([broken]).message).toContain("none at all");
});

test("no venv module: the package to install is named", () => {
  expect(noBasePython([OLD, BARE]).message).toContain("apt install python3.11-venv");
  const output = "The virtual environment was not created because ensurepip is not available.";
  expect(venvFailure(BARE, output).message).toContain("apt install python3.11-venv");
});

test("no network: the setting for wheels is named", () => {
  expect(pipFailure(UNREACHABLE, undefined).message).toContain("sidelight.server.wheels");
});

test("a wheel that is missing in the folder is named, not the network", () => {
  const { message } = pipFailure(UNREACHABLE, "/wheels");
  expect(message).toContain("/wheels has no wheel that fits for numpy>=1.26");
});

test("a full disk is told as such, whichever step met it", () => {
  const output = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left";
  expect(pipFailure(output, undefined).message).toMatch(/^The disk is full/);
  expect(venvFailure(BARE, "OSError: [Errno 28] No space left on device").message).toMatch(
    /^The disk is full/,
  );
  const error = Object.assign(new Error("write"), { code: "ENOSPC" });
  expect(fileFailure(error, "/storage")?.message).toMatch(/^The disk is full/);
});

test("a directory that may not be written is named", () => {
  const error = Object.assign(new Error("mkdir"), { code: "EACCES" });
  expect(fileFailure(error, "/storage")?.message).toContain("may not write to /storage");
  expect(fileFailure(new Error("another"), "/storage")).toBeUndefined();
});

test("anything else of pip's is given in its own last error's words", () => {
  const output = "Collecting numpy\nERROR: first\nERROR: pip broke down.\nnote: see above";
  expect(pipFailure(output, undefined).message).toBe(
    "pip could not install Sidelight's server: pip broke down. Sidelight's log has the whole output.",
  );
});

test("whatever the output, there is one plain sentence or two and no line break", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.option(fc.constant("/w")), (output, wheels) => {
      for (const failure of [
        pipFailure(output, wheels ?? undefined),
        venvFailure(BARE, output),
        checkFailure(output.trim().split("\n").at(-1) ?? ""),
      ]) {
        expect(failure.message).not.toContain("\n");
        expect(failure.message.endsWith(".")).toBe(true);
      }
    }),
  );
});
