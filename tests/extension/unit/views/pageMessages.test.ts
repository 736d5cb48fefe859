import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { FromPage } from "../../../../extension/webview/messages";
import { parseFromPage, parseLine } from "../../../../extension/src/views/pageMessages";

const MESSAGES: readonly FromPage[] = [
  { type: "ready" },
  { type: "getWindow", request: 1, directory: "/p", fromNs: 0, toNs: 1e13, width: 1200 },
  { type: "getDetails", request: 2, directory: "/p", event: 0 },
  { type: "reveal", uri: "file:///a.py", line: 1 },
  { type: "choosePlace", directory: "/p", event: 3 },
  { type: "locate", directory: "/p", file: "/elsewhere/a.py", line: 1 },
  { type: "run", command: "sidelight.openProfile" },
];

describe("from the page", () => {
  test.each(MESSAGES)(
    "$type is taken as it is, and what it does not name is left out",
    (message) => {
      expect(parseFromPage({ ...message, more: "x" })).toEqual(message);
    },
  );

  test.each([
    undefined,
    null,
    "ready",
    { type: "other" },
    { type: "run", command: "workbench.action.terminal.sendSequence" },
    { type: "reveal", uri: "file:///a.py", line: 0 },
    { type: "reveal", uri: 3, line: 1 },
    { type: "choosePlace", directory: "/p", event: 1.5 },
    { type: "choosePlace", event: 1 },
    { type: "locate", directory: "/p", file: "/elsewhere/a.py", line: -1 },
    { type: "locate", directory: "/p", line: 1 },
    { type: "getWindow", request: 1, directory: "/p", fromNs: 0.5, toNs: 1, width: 10 },
    { type: "getWindow", request: 1, directory: "/p", fromNs: 0, toNs: 1, width: 1e9 },
    { type: "getDetails", request: 1, directory: "/p", event: "0" },
  ])("%j is refused", (message) => {
    expect(parseFromPage(message)).toBeUndefined();
  });

  test("whatever comes is a known message or none", () => {
    const known = new Set(MESSAGES.map(({ type }) => type));
    fc.assert(
      fc.property(fc.anything(), (message) => {
        const parsed = parseFromPage(message);
        expect(parsed === undefined || known.has(parsed.type)).toBe(true);
      }),
    );
  });
});

test("a link names a line, or none", () => {
  const line = { directory: "/p", file: "a.py", line: 3 };
  expect(parseLine({ ...line, more: 1 })).toEqual(line);
  expect(parseLine(undefined)).toBeUndefined();
  expect(parseLine({ ...line, line: "3" })).toBeUndefined();
});
