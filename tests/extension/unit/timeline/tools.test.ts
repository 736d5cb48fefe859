import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { TimelineTrack } from "../../../../extension/src/protocol";
import { groupTracks } from "../../../../extension/webview/timeline/model/grouping";
import {
  blockAt,
  layOut,
  tracksBetween,
} from "../../../../extension/webview/timeline/model/layout";
import {
  between,
  changed,
  deltas,
  newMarker,
} from "../../../../extension/webview/timeline/model/markers";
import { Palette, type ThemeKind } from "../../../../extension/webview/timeline/model/palette";
import { type Rgb, parseCss } from "../../../../extension/webview/timeline/model/colour";
import {
  decodeCounters,
  decodeLevels,
  pixelAt,
} from "../../../../extension/webview/timeline/model/pixels";
import type { Marker } from "../../../../extension/webview/timeline/model/savedViews";

const track = (
  number: number,
  kind: "host" | "device",
  process: string,
  name: string,
): TimelineTrack => ({
  ...{ track: number, kind, process, thread: String(number), name, engine: null },
  ...{ depth: 2, startNs: 0, endNs: 100, regionsOf: null },
});
const TRACKS = [
  track(0, "device", "0", "NC 0, Tensor"),
  track(1, "device", "0", "NC 0, DMA"),
  track(2, "device", "nc1", "NC 1, Tensor"),
  track(3, "host", "4711", "MainThread"),
  track(4, "host", "4711", "autograd"),
];

describe("groups of tracks", () => {
  it.each([
    ["source", { Device: [0, 1, 2], Host: [3, 4] }],
    ["process", { "Device 0": [0, 1], nc1: [2], "Process 4711": [3, 4] }],
    ["core", { "NeuronCore 0": [0, 1], nc1: [2], Host: [3, 4] }],
    ["thread", { Device: [0, 1, 2], MainThread: [3], autograd: [4] }],
    ["stream", { "NC 0, Tensor": [0], "NC 0, DMA": [1], "NC 1, Tensor": [2], Host: [3, 4] }],
  ] as const)("by %s", (grouping, expected) => {
    const groups = groupTracks(TRACKS, grouping, false);
    const found = groups.map(({ name, tracks }) => [name, tracks.map((each) => each.track)]);
    expect(Object.fromEntries(found)).toEqual(expected);
    expect(new Set(groups.map(({ key }) => key)).size).toBe(groups.length);
  });

  it("hold regions with what they lie over, whose name they have", () => {
    const over = { ...track(9, "device", "0", "NC 0: modules"), thread: "0", regionsOf: 0 };
    const [first] = groupTracks([over, ...TRACKS], "stream", false);
    expect(first?.name).toBe("NC 0, Tensor");
    expect(first?.tracks.map((each) => each.track)).toEqual([9, 0]);
  });

  it("say that they are predicted", () => {
    const [first] = groupTracks(TRACKS, "source", true);
    expect(first?.name).toBe("Device, predicted");
  });
});

describe("an area's tracks", () => {
  const groups = groupTracks(TRACKS, "source", false);

  it("are those it touches, also in folded groups", () => {
    const open = layOut(groups, [], new Set());
    const tops = open.blocks.flatMap((block) => (block.type === "track" ? [block.top] : []));
    expect(tracksBetween(open, (tops[1] ?? 0) + 1, (tops[2] ?? 0) + 1)).toEqual([1, 2]);
    expect(tracksBetween(open, (tops[2] ?? 0) + 1, (tops[1] ?? 0) + 1)).toEqual([1, 2]);
    const folded = layOut(groups, [], new Set(["device"]));
    expect(tracksBetween(folded, 0, 5)).toEqual([0, 1, 2]);
  });

  it("are none where only quantities are", () => {
    const counter = { counter: 0, name: "HBM", owner: "", lowest: 0, highest: 1, capacity: null };
    const layout = layOut(groups, [{ ...counter, unit: "bytes" }], new Set());
    const block = layout.blocks.find(({ type }) => type === "counter");
    const y = (block?.top ?? 0) + 1;
    expect(blockAt(layout, y)).toBe(block);
    expect(tracksBetween(layout, y, y + 5)).toEqual([]);
  });
});

describe("markers", () => {
  const times = fc.array(fc.integer({ min: 0, max: 1e12 }), { maxLength: 60 });
  const marked = (atNs: readonly number[]): readonly Marker[] =>
    atNs.reduce<readonly Marker[]>((markers, each) => {
      return changed(markers, { removed: [], added: [newMarker(markers, each)] });
    }, []);

  it("are by time, each with a name of its own and the time since the one before it", () => {
    fc.assert(
      fc.property(times, (atNs) => {
        const markers = marked(atNs);
        expect(markers.map((marker) => marker.atNs)).toEqual([...atNs].sort((a, b) => a - b));
        expect(new Set(markers.map(({ name }) => name)).size).toBe(markers.length);
        const [first, ...gaps] = deltas(markers);
        expect(first).toBeUndefined();
        const whole = gaps.reduce<number>((sum, gap) => sum + (gap ?? NaN), 0);
        const range = between(markers);
        if (range !== undefined) expect(whole).toBe(range.toNs - range.fromNs);
        else expect(whole).toBe(0);
      }),
    );
  });

  it("take the first free letter, other names, and go", () => {
    const [first, second] = marked([5, 9]);
    if (first === undefined || second === undefined) throw new Error("Two were made.");
    expect([first.name, second.name]).toEqual(["A", "B"]);
    const left = changed([first, second], { removed: [{ ...first }], added: [] });
    expect(left).toEqual([second]);
    expect(newMarker(left, 20).name).toBe("A");
    const change = { removed: [second], added: [{ ...second, name: "loss" }] };
    expect(changed([first, second], change).map(({ name }) => name)).toEqual(["A", "loss"]);
  });

  it("are set once, however often they come", () => {
    const [first, second] = [
      { name: "b", atNs: 5 },
      { name: "a", atNs: 5 },
    ];
    const once = changed([], { removed: [], added: [first, second] });
    expect(once).toEqual([second, first]);
    expect(changed(once, { removed: [], added: [{ ...first }] })).toEqual(once);
  });
});

describe("pixels", () => {
  it("are read as the server writes them", () => {
    const levels = Buffer.from([0, 128, 255]).toString("base64");
    const answer = { fromNs: 0, toNs: 30, width: 3, groups: [{ busyNs: 15, levels }] };
    expect([...(decodeLevels(answer, ["device"]).byGroup.get("device") ?? [])]).toEqual([
      0, 128, 255,
    ]);
    const mean = Buffer.from(Float32Array.of(NaN, 1.5, 2).buffer).toString("base64");
    const counters = [{ counter: 4, mean, highest: mean }];
    const values = decodeCounters({ fromNs: 0, toNs: 30, width: 3, counters });
    expect([...(values.byCounter.get(4)?.mean ?? [])]).toEqual([NaN, 1.5, 2]);
    expect([-1, 0, 9, 10, 29, 30].map((ns) => pixelAt(values, ns))).toEqual([
      undefined,
      0,
      0,
      1,
      2,
      undefined,
    ]);
  });
});

// How those see who lack the cones for long, middle or short waves: Machado, Oliveira and Fernandes,
// "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1.0.
const SIGHTS = {
  trichromacy: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [
    0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998,
  ],
  deuteranopia: [
    0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881,
  ],
  tritanopia: [
    1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039,
  ],
} as const;

describe("colours of keys", () => {
  const BACKGROUNDS: Readonly<Record<ThemeKind, Rgb>> = {
    dark: [31, 31, 31],
    light: [255, 255, 255],
    contrastDark: [0, 0, 0],
    contrastLight: [255, 255, 255],
  };

  it.each(Object.keys(BACKGROUNDS) as ThemeKind[])("are told apart by everybody, %s", (kind) => {
    const palette = new Palette(["operator"], kind, BACKGROUNDS[kind]);
    for (let key = 0; key < 8; key += 1) palette.keyedColourOf(`key ${key}`, 1);
    const colours = palette
      .keySwatches()
      .map(({ colour }) => parseCss(colour))
      .filter((colour) => colour !== undefined);
    expect(colours).toHaveLength(8);
    for (const [sight, matrix] of Object.entries(SIGHTS)) {
      const seen = colours.map((colour) => oklab(matrix, colour));
      seen.forEach((one, index) => {
        for (const other of seen.slice(index + 1)) {
          const apart = Math.hypot(...one.map((value, axis) => value - (other[axis] ?? 0)));
          expect(apart, `${sight} ${index}`).toBeGreaterThan(0.04);
        }
      });
    }
  });

  it("stay what they are while more come up, and after eight begin again", () => {
    const palette = new Palette(["operator"], "dark", [31, 31, 31]);
    const first = palette.keyedColourOf("a", 1);
    for (let key = 0; key < 7; key += 1) palette.keyedColourOf(`key ${key}`, 1);
    expect(palette.keyedColourOf("a", 1)).toBe(first);
    expect(palette.keyedColourOf("ninth", 1)).toBe(first);
    expect(palette.keyedColourOf("", 1)).not.toBe(first);
  });
});

/** A colour as it is seen, where equal distances look equally far. */
function oklab(sight: readonly number[], colour: Rgb): readonly number[] {
  const linear = colour.map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const times = (matrix: readonly number[], vector: readonly number[]): number[] =>
    [0, 1, 2].map((row) =>
      [0, 1, 2].reduce(
        (sum, column) => sum + (matrix[3 * row + column] ?? 0) * (vector[column] ?? 0),
        0,
      ),
    );
  const seen = times(sight, linear).map((value) => Math.min(Math.max(value, 0), 1));
  const cones = times(
    [
      0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566,
      0.0883024619, 0.2817188376, 0.6299787005,
    ],
    seen,
  ).map(Math.cbrt);
  return times(
    [
      0.2104542553, 0.793617785, -0.0040720468, 1.9779984951, -2.428592205, 0.4505937099,
      0.0259040371, 0.7827717662, -0.808675766,
    ],
    cones,
  );
}
