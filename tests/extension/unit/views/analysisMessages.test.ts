import fc from "fast-check";
import { expect, test } from "vitest";

import { parseFromAnalysis, parseTab } from "../../../../extension/src/views/analysisMessages";
import type { FromPage } from "../../../../extension/webview/analysis/messages";

const ORDER = {
  ...({ table: "lines", sort: "self_ns", descending: true, text: "", group: "file" } as const),
  within: { column: "bound", value: null },
};

const MESSAGES: readonly FromPage[] = [
  { type: "ready" },
  { type: "goToLine", directory: "/p", file: "a.py", line: 3 },
  { type: "showOnTimeline", directory: "/p", file: "a.py", line: 3 },
  { type: "showRange", directory: "/p", fromNs: 0, toNs: 1e13 },
  { type: "getTable", request: 1, directory: "/p", order: ORDER, first: 0, count: 200 },
  { type: "copyRows", directory: "/p", order: { ...ORDER, within: null }, ranges: null },
  { type: "copyRows", directory: "/p", order: ORDER, ranges: [{ first: 3, count: 2 }] },
  { type: "saveRows", directory: "/p", order: ORDER },
  { type: "getFlameMatch", request: 2, directory: "/p", graph: "by_module", text: "a" },
  { type: "chooseBaseline", request: 3, directory: "/p" },
  { type: "run", command: "sidelight.openProfile" },
];

test("the page's own messages are taken as they are, and nothing besides", () => {
  for (const message of MESSAGES) {
    expect(parseFromAnalysis({ ...message, more: 1 })).toEqual(message);
  }
});

test("anything else is none", () => {
  const keys = ["type", "directory", "file", "line", "fromNs", "toNs", "command"];
  keys.push("request", "order", "first", "count", "ranges", "graph", "text");
  for (const message of MESSAGES) {
    for (const key of keys.filter((name) => name in message)) {
      expect(parseFromAnalysis({ ...message, [key]: undefined })).toBeUndefined();
    }
  }
  const rows = { type: "copyRows", directory: "/p", order: ORDER, ranges: null };
  expect(parseFromAnalysis(rows)).toEqual(rows);
  for (const key of Object.keys(ORDER)) {
    const order = { ...ORDER, [key]: undefined };
    expect(parseFromAnalysis({ ...rows, order })).toBeUndefined();
  }
  for (const ranges of [[{ first: -1, count: 2 }], [{ first: 1 }], [null], 3]) {
    expect(parseFromAnalysis({ ...rows, ranges })).toBeUndefined();
  }
  expect(parseFromAnalysis({ ...rows, order: { ...ORDER, table: "secrets" } })).toBeUndefined();
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
