import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { FromPage } from "../../../../extension/webview/timeline/messages";
import {
  parseFromPage,
  parseLine,
  parseProfileView,
  parseRange,
} from "../../../../extension/src/views/timelineMessages";

const WINDOW: FromPage = {
  type: "getWindow",
  request: 1,
  directory: "/p",
  fromNs: 0,
  toNs: 1e13,
  width: 1200,
  find: { text: "mul" },
  colourBy: "file",
};

const MARKED = { type: "changeMarkers", request: 7, directory: "/p", removed: [], added: [] };
const MESSAGES: readonly FromPage[] = [
  { type: "ready" },
  WINDOW,
  { ...WINDOW, find: null },
  { type: "getArea", request: 3, directory: "/p", fromNs: 0, toNs: 9, tracks: [1, 2] },
  {
    type: "getMatch",
    request: 4,
    directory: "/p",
    find: { file: "a.py", line: 3 },
    event: null,
    atNs: 5,
    direction: "next",
  },
  {
    type: "getUtilisation",
    request: 5,
    of: "view",
    directory: "/p",
    fromNs: 0,
    toNs: 9,
    width: 10,
    groups: [[1], []],
  },
  { type: "getCounters", request: 6, directory: "/p", fromNs: 0, toNs: 9, width: 10 },
  {
    type: "changeMarkers",
    request: 7,
    directory: "/p",
    removed: [],
    added: [{ name: "loss", atNs: -5 }],
  },
  {
    type: "copyView",
    directory: "/p",
    view: { fromNs: 0, toNs: 1, scrollTop: 0, event: 3, collapsed: [], grouping: "core" },
  },
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
    { ...WINDOW, fromNs: 0.5 },
    { ...WINDOW, width: 1e9 },
    { ...WINDOW, find: { file: "a.py" } },
    { ...WINDOW, colourBy: "red" },
    { ...WINDOW, colourBy: undefined },
    { type: "getDetails", request: 1, directory: "/p", event: "0" },
    { type: "getArea", request: 3, directory: "/p", fromNs: 0, toNs: 9, tracks: ["1"] },
    { type: "copyView", directory: "/p", view: { fromNs: 0 } },
    { type: "changeMarkers", request: 7, directory: "/p", removed: [] },
    { ...MARKED, added: [{ name: "loss", atNs: 0.5 }] },
    { ...MARKED, removed: [{ atNs: 5 }] },
    { ...MARKED, added: "loss" },
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

test("an argument names a view as it was copied, or none", () => {
  const view = {
    ...{ fromNs: 1, toNs: 2, scrollTop: 3, event: null, collapsed: ["host"] },
    ...{ grouping: "core", colouring: "file", find: "mul" },
    markers: [{ name: "A", atNs: 5 }],
  };
  const copied: unknown = JSON.parse(JSON.stringify({ directory: "/p", view }));
  expect(parseProfileView(copied)).toEqual({ directory: "/p", view });
  expect(parseProfileView({ directory: "/p", view: { ...view, toNs: "2" } })).toBeUndefined();
  expect(parseProfileView({ view })).toBeUndefined();
});

test("a link names a stretch of time, or none", () => {
  const range = { directory: "/p", fromNs: -5, toNs: 1e13 };
  expect(parseRange({ ...range, type: "showRange" })).toEqual(range);
  for (const key of Object.keys(range)) {
    expect(parseRange({ ...range, [key]: undefined })).toBeUndefined();
  }
  expect(parseRange({ ...range, toNs: 1.5 })).toBeUndefined();
  expect(parseRange(null)).toBeUndefined();
});

test("a link names a line, or none", () => {
  const line = { directory: "/p", file: "a.py", line: 3 };
  expect(parseLine({ ...line, more: 1 })).toEqual(line);
  expect(parseLine(undefined)).toBeUndefined();
  expect(parseLine({ ...line, line: "3" })).toBeUndefined();
});
