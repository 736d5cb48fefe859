import fc from "fast-check";
import { expect, test } from "vitest";

import { parseFromAnalysis, parseTab } from "../../../../extension/src/views/analysisMessages";
import type { FromPage } from "../../../../extension/webview/analysis/messages";

const MESSAGES: readonly FromPage[] = [
  { type: "ready" },
  { type: "goToLine", directory: "/p", file: "a.py", line: 3 },
  { type: "showOnTimeline", directory: "/p", file: "a.py", line: 3 },
  { type: "showRange", directory: "/p", fromNs: 0, toNs: 1e13 },
  { type: "run", command: "sidelight.openProfile" },
];

test("the page's own messages are taken as they are, and nothing besides", () => {
  for (const message of MESSAGES) {
    expect(parseFromAnalysis({ ...message, more: 1 })).toEqual(message);
  }
});

test("anything else is none", () => {
  const keys = ["type", "directory", "file", "line", "fromNs", "toNs", "command"];
  for (const message of MESSAGES) {
    for (const key of keys.filter((name) => name in message)) {
      expect(parseFromAnalysis({ ...message, [key]: undefined })).toBeUndefined();
    }
  }
  expect(parseFromAnalysis({ type: "run", command: "workbench.action.quit" })).toBeUndefined();
  fc.assert(
    fc.property(fc.anything(), (message) => {
      expect(parseFromAnalysis(message)).toBeUndefined();
    }),
  );
});

test("a tab is one of the page's own", () => {
  expect(parseTab({ tab: "summary" })).toBe("summary");
  for (const other of [undefined, null, "summary", {}, { tab: "toString" }, { tab: 1 }]) {
    expect(parseTab(other)).toBeUndefined();
  }
});
