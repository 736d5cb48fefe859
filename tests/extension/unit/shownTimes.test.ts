// Every time that the extension writes of a predicted profile has `≈` before it, of a measured one
// none. The walk goes by source file: one that writes a time, or passes on one that the server wrote,
// fails the first test until it has an entry below. What only a page can show is walked there
// (`page/shownTimes.spec.ts`); `tests/python/test_shown_times.py` walks what the server writes.

import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";

import { expect, test } from "vitest";

import { shownText } from "../../../extension/src/annotations/shownText";
import type { ProfileEntry, ShownProfile } from "../../../extension/src/protocol";
import {
  profileAccessibleLabel,
  profileDescription,
  profileTooltip,
} from "../../../extension/src/views/profileText";
import { frameText } from "../../../extension/webview/flame/frameTexts";
import { partText } from "../../../extension/webview/places";
import { cellText } from "../../../extension/webview/tables/cells";
import { dotLines, figuresOf } from "../../../extension/webview/roofline/figures";
import {
  describe as describeSpan,
  describeCounter,
} from "../../../extension/webview/timeline/model/described";
import { Scale } from "../../../extension/webview/timeline/model/scale";
import { decodeSpans } from "../../../extension/webview/timeline/model/spans";
import { ruler } from "../../../extension/webview/timeline/model/ticks";
import { encodeSpans } from "../page/support/encoding";
import { dotOf } from "./roofline/dots";
import { type Kind, timesIn, wronglyMarked } from "../times";

const WALKED_ON_THE_PAGE = "page/shownTimes.spec.ts";
const WALKED_ON_THE_SUMMARY = "page/shownSummaryTimes.spec.ts";
/** Makes a text of a number, or has one from the server. */
const WRITES_TIMES =
  /\bduration\(|"(?:ns|µs|ms|s)"|\b(?:deviceTime|duration|start)Text\b|\.headline\b/u;
const THEMSELVES = [
  "extension/webview/units.ts",
  "extension/src/protocol.ts",
  "extension/src/documents.ts",
];

/** What each file that writes times shows of a profile of a kind. */
const PLACES: Readonly<
  Record<
    string,
    ((kind: Kind) => readonly string[]) | typeof WALKED_ON_THE_PAGE | typeof WALKED_ON_THE_SUMMARY
  >
> = {
  // The tree, and the list to select from.
  "extension/src/views/profileText.ts": (kind) => [
    profileDescription(entry(kind), 0),
    profileAccessibleLabel(entry(kind), 0),
    unescaped(profileTooltip(entry(kind))),
  ],
  // The status bar.
  "extension/src/annotations/shownText.ts": (kind) => {
    const { text, label, tooltip } = shownText(shown(kind));
    return [text, label, unescaped(tooltip)];
  },
  // A dot of the roofline, in its tooltip and its table.
  "extension/webview/roofline/figures.ts": (kind) => {
    const dot = dotOf({ time_kind: kind, rate_kind: kind });
    const of = { steps: 4, deviceNs: 80_000 };
    return [...dotLines(dot, of), figuresOf(dot, of).time];
  },
  // The timeline's tooltip, and what is read aloud and said of a selected span at once.
  "extension/webview/timeline/model/described.ts": (kind) => [
    ...[0, 1].flatMap((span) => describeSpan(SPANS, span, "a track", kind === "predicted").lines),
    ...[undefined, { mean: 5, highest: 7 }].flatMap(
      (values) => describeCounter(COUNTER, values, 12_000, kind === "predicted").lines,
    ),
  ],
  // The timeline's ruler, near its start and far from it.
  "extension/webview/timeline/model/ticks.ts": (kind) =>
    [0, 12_345_678_100].flatMap((fromNs) => {
      const scale = new Scale({ fromNs, toNs: fromNs + 400 }, 600);
      const { base, ticks } = ruler(scale, kind === "predicted");
      return [base, ...ticks.map(({ label }) => label)].filter((label) => label !== "");
    }),
  // The lines that an event is divided over, in its details and where one of them is chosen.
  "extension/webview/places.ts": (kind) =>
    [3_000, 9_000].map((deviceTimeNs) => {
      const deviceTimeText = kind === "predicted" ? "≈3.00 µs" : "3.00 µs";
      const place = { file: "a.py", uri: null, line: 1, currentLine: null };
      return partText({ ...place, deviceTimeNs, deviceTimeText }, { deviceTimeNs: 12_000 });
    }),
  // Tables' cells: times, and how near to the roof.
  "extension/webview/tables/cells.ts": (kind) =>
    [12_000, 3].map((selfNs) => cellText(SELF, { self_ns: selfNs }, { timeKind: kind, steps: 2 })),
  // A flame graph's frames: their tooltips, and what is read aloud of them.
  "extension/webview/flame/frameTexts.ts": (kind) => {
    const figures = { timeKind: kind, steps: 2, wholeNs: 24_000 };
    return [0, 3].flatMap((others) => frameText({ ...FRAME, others }, figures).lines);
  },
  "extension/webview/timeline/selection.ts": WALKED_ON_THE_PAGE,
  "extension/webview/timeline/view/areaPane.ts": WALKED_ON_THE_PAGE,
  "extension/webview/timeline/view/markerItem.ts": WALKED_ON_THE_PAGE,
  "extension/webview/timeline/view/details.ts": WALKED_ON_THE_PAGE,
  "extension/webview/timeline/view/header.ts": WALKED_ON_THE_PAGE,
  "extension/webview/summary/collectives.ts": WALKED_ON_THE_SUMMARY,
  "extension/webview/summary/headline.ts": WALKED_ON_THE_SUMMARY,
  "extension/webview/summary/keyFigures.ts": WALKED_ON_THE_SUMMARY,
  "extension/webview/summary/memory.ts": WALKED_ON_THE_SUMMARY,
  "extension/webview/summary/scatter.ts": WALKED_ON_THE_SUMMARY,
  "extension/webview/summary/stepBars.ts": WALKED_ON_THE_SUMMARY,
  "extension/webview/summary/stepTime.ts": WALKED_ON_THE_SUMMARY,
  "extension/webview/idle/causes.ts": WALKED_ON_THE_SUMMARY,
  "extension/webview/idle/idleTab.ts": WALKED_ON_THE_SUMMARY,
  "extension/webview/idle/longest.ts": WALKED_ON_THE_SUMMARY,
  "extension/webview/idle/waiting.ts": WALKED_ON_THE_SUMMARY,
};

const SELF = {
  ...({ name: "self_ns", title: "self", unit: "ns", is_number: true, adds_up: true } as const),
  ...{ per_step: true, is_rate: false, description: "" },
};

const FRAME = {
  ...{ name: "a.py:1", file: "/w/a.py", line: 1, function: "f", children: [] },
  ...{ self_ns: 3_000, total_ns: 12_000 },
};

const COUNTER = {
  ...({ counter: 0, name: "HBM", unit: "bytes", owner: "core 0" } as const),
  ...{ lowest: 0, highest: 9, capacity: null },
};

const SPANS = decodeSpans({
  ...{ fromNs: 0, toNs: 1_000, binNs: 0, count: 2, names: ["aten::mul"], keys: [""] },
  spans: encodeSpans([span(1), span(3)]),
});

function span(merged: number) {
  const times = { start_ns: 12_000, duration_ns: 3_500, busy_ns: 3_000 };
  return { ...times, event: 0, merged, name: 0, track: 0, depth: 0, category: 0 };
}

function entry(kind: Kind): ProfileEntry {
  return {
    directory: "/w/.sidelight/profiles/1",
    id: "1",
    name: "train",
    created: "1970-01-01T00:00:00.000Z",
    target: kind === "predicted" ? "fake" : "cpu",
    device: kind === "predicted" ? "trn2" : "cpu",
    deviceTimeNs: 552_000_000,
    timeKind: kind,
    pricedFor: kind === "predicted" ? "trn2, LNC 2" : null,
    steps: 20,
    rank: null,
    worldSize: null,
    sizeBytes: 291_583,
    shown: true,
  };
}

function shown(kind: Kind): ShownProfile {
  const { directory, name, target, device, timeKind, pricedFor, steps } = entry(kind);
  // As the server says it, which has its own test.
  const deviceTimeText = kind === "predicted" ? "≈27.6 ms" : "27.6 ms";
  const headline = `train: ${deviceTimeText} of device time a step`;
  return {
    ...{ directory, name, target, device, timeKind, pricedFor, steps, deviceTimeText, headline },
    ...{ folderUri: "file:///w", loading: false, problem: null, rank: 0, worldSize: 2 },
  };
}

/** Markdown's text as it is seen. */
function unescaped(markdown: string): string {
  return markdown.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

test("every file that writes a time has an entry", () => {
  const files = ["extension/src", "extension/webview"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => path.posix.join(folder, file)),
  );
  const writers = files.filter((file) => WRITES_TIMES.test(readFileSync(file, "utf8")));
  const listed = [...Object.keys(PLACES), ...THEMSELVES];
  expect(writers.sort()).toEqual(listed.sort());
});

const walked = Object.entries(PLACES).flatMap(([file, texts]) =>
  typeof texts === "string" ? [] : [[file, texts] as const],
);

test.each(walked)("%s marks what is predicted, and nothing else", (_, texts) => {
  for (const kind of ["predicted", "measured"] as const) {
    for (const text of texts(kind)) expect(wronglyMarked(text, kind), text).toEqual([]);
    expect(texts(kind).flatMap(timesIn).length).toBeGreaterThanOrEqual(2);
  }
});

test("a wrong mark is found", () => {
  expect(wronglyMarked("≈1.2 ms at 12 ns", "predicted")).toEqual(["12 ns"]);
  expect(wronglyMarked("+412 µs", "predicted")).toEqual(["+412 µs"]);
  expect(wronglyMarked("≈<1 ns, 4 steps", "measured")).toEqual(["≈<1 ns"]);
});
