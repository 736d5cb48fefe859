// A made-up training run of any size that answers as the server does: for what needs more events,
// or stranger ones, than a recording on this machine has.

import type {
  EventDetails,
  EventLink,
  Find,
  Timeline,
  TimelineArea,
  TimelineCounters,
  TimelineMatch,
  TimelineUtilisation,
  TimelineWindow,
} from "../../../../extension/src/protocol";
import type { ProfileAnswers } from "./openTimeline";
import { encodeSpans, type PlainSpan } from "./encoding";

const CATEGORIES = [
  "operator",
  "source line",
  "annotation",
  "step",
  "Python function",
  "runtime call",
  "device",
] as const;
const NAMES = [
  ["aten::linear", "aten::addmm", "aten::mul", "aten::gelu", "aten::_foreach_add_", "aten::copy_"],
  ["train.py:24", "train.py:31", "model.py:12", "model.py:13"],
  ["forward", "backward"],
  ["ProfilerStep"],
  ["Block.forward"],
  ["nrt_execute", "nrt_copy"],
  ["fused_matmul_bias_gelu", "rmsnorm_kernel", "reduce_sum", "all_reduce"],
] as const;
const DIRECTORY = "/project/.sidelight/profiles/train";
/** As many as the server gives of everything, and of what was found. */
const MOST_SPANS = 15_000;
const MOST_FOUND_SPANS = 4_000;
const FIRST_AUTOGRAD_TRACK = 9;

/** A row of a track, and how many of its events fill a statement of the program. */
interface Place {
  readonly track: number;
  readonly depth: number;
  readonly category: number;
  readonly splits: number;
}

function placesOf(autogradThreads: number): readonly Place[] {
  const autograd = Array.from({ length: autogradThreads }, (_, thread) => [
    { track: FIRST_AUTOGRAD_TRACK + thread, depth: 0, category: 0, splits: 2 },
    { track: FIRST_AUTOGRAD_TRACK + thread, depth: 1, category: 0, splits: 5 },
  ]);
  return [
    { track: 0, depth: 0, category: 6, splits: 6 },
    { track: 1, depth: 0, category: 6, splits: 2 },
    { track: 7, depth: 0, category: 1, splits: 1 },
    { track: 7, depth: 1, category: 0, splits: 3 },
    { track: 7, depth: 2, category: 0, splits: 6 },
    { track: 7, depth: 3, category: 5, splits: 8 },
    ...autograd.flat(),
  ];
}

const STEPS = 8;
/** So many of the device's first events are launched by calls. */
const DEVICE_EVENTS = 500;

interface Row extends Place {
  readonly first: number;
  readonly startNs: Float64Array;
  readonly durationNs: Float64Array;
}

export class GeneratedProfile implements ProfileAnswers {
  readonly timeline: Timeline;
  private readonly rows: readonly Row[];
  private readonly names: readonly string[];

  constructor(events: number, { rename = (name: string) => name, autogradThreads = 1 } = {}) {
    const places = placesOf(autogradThreads);
    const statements = Math.ceil(events / places.reduce((sum, { splits }) => sum + splits, 0));
    const random = generator(42);
    const lengthsNs = Array.from({ length: statements }, () => 4_000 + 60_000 * random() ** 3);
    this.names = NAMES.flat().map(rename);
    let first = 0;
    this.rows = places.map((place) => {
      const made = filled(first, lengthsNs, place, random);
      first += made.startNs.length;
      return made;
    });
    const endNs = Math.max(...this.rows.map((row) => end(row, row.startNs.length - 1)));
    const stepNs = Math.floor(endNs / STEPS);
    const track = (number: number, kind: "host" | "device", name: string, depth: number) => ({
      track: number,
      kind,
      name,
      process: kind === "host" ? "4700" : "0",
      thread: String(number),
      engine: null,
      regionsOf: null,
      depth,
      startNs: 0,
      endNs,
    });
    this.timeline = {
      directory: DIRECTORY,
      name: "train",
      rank: 2,
      worldSize: 4,
      headline: "27.6 ms of device time a step over 8 steps; train.py:24 takes 38.2% of it.",
      device: "trn2",
      timeKind: "measured",
      startNs: 0,
      endNs,
      tracks: [
        track(0, "device", "NeuronCore 0, queue 0", 1),
        track(1, "device", "NeuronCore 0, queue 1", 1),
        track(7, "host", "MainThread 4711", 4),
        ...Array.from({ length: autogradThreads }, (_, thread) =>
          track(FIRST_AUTOGRAD_TRACK + thread, "host", `autograd thread ${4733 + thread}`, 2),
        ),
      ],
      counters: [
        {
          counter: 0,
          name: "HBM",
          unit: "bytes",
          owner: "NeuronCore 0",
          lowest: 0,
          highest: 2e9,
          capacity: null,
        },
      ],
      steps: Array.from({ length: STEPS }, (_, step) => ({
        number: step + 1,
        startNs: step * stepNs,
        endNs: (step + 1) * stepNs,
      })),
      categories: CATEGORIES,
      events: first,
      quality: [
        { code: "no_shapes", severity: "info", message: "Operators carry no shapes.", count: 1 },
        {
          code: "bad_duration",
          severity: "warning",
          message: "Rows with <b>absurd</b> durations are left out.",
          count: 1200,
        },
      ],
    };
  }

  window(
    fromNs: number,
    toNs: number,
    width: number,
    find: Find | null = null,
    colourBy = "category",
  ): TimelineWindow {
    let binNs = (toNs - fromNs) / width;
    let spans = this.spansIn(fromNs, toNs, binNs);
    if (find !== null) spans = spans.filter(({ name }) => this.isFound(name, find));
    const most = find === null ? MOST_SPANS : MOST_FOUND_SPANS;
    while (spans.length > most) {
      binNs *= 2;
      spans = this.spansIn(fromNs, toNs, binNs);
      if (find !== null) spans = spans.filter(({ name }) => this.isFound(name, find));
    }
    const isMerged = spans.some((span) => span.merged > 1);
    return {
      fromNs,
      toNs,
      binNs: isMerged ? binNs : 0,
      count: spans.length,
      names: this.names,
      keys: colourBy === "category" ? [""] : this.names,
      spans: encodeSpans(
        colourBy === "category" ? spans : spans.map((span) => ({ ...span, key: span.name })),
      ),
    };
  }

  details(event: number): EventDetails {
    const row = this.rows.find((other) => event < other.first + other.startNs.length);
    if (row === undefined) {
      throw new Error(`There is no event ${event} in this profile.`);
    }
    const durationNs = row.durationNs[event - row.first] ?? 0;
    return {
      event,
      name: this.names[this.nameOf(row.category, event)] ?? "",
      category: CATEGORIES[row.category] ?? "",
      track: row.track,
      startNs: row.startNs[event - row.first] ?? 0,
      durationNs,
      durationText: "12.3 µs",
      startText: "45.6 ms",
      deviceTimeNs: row.category === 6 ? durationNs : null,
      deviceTimeText: row.category === 6 ? "12.3 µs" : null,
      backward: row.track === 9,
      step: 3,
      places: [
        { file: "/project/model.py", uri: "file:///project/model.py", line: 12, currentLine: 12 },
        { file: "/project/train.py", uri: "file:///project/train.py", line: 24, currentLine: 27 },
        { file: "/elsewhere/loop.py", uri: null, line: 5, currentLine: null },
      ].map((place) => ({ ...place, deviceTimeNs: null, deviceTimeText: null })),
      owners: 1,
      unattributedTimeText: null,
      shapes: ["float32 [64, 1024]", "float32 [1024, 4096]"],
      causes: row.category === 6 ? [this.link(this.callOf(event - row.first))] : [],
      effects: row.category === 5 ? [this.link((event - row.first) % DEVICE_EVENTS)] : [],
      chain: [],
      facts: [{ term: "Correlation id", text: String(event) }],
    };
  }

  area(fromNs: number, toNs: number, tracks: readonly number[]): TimelineArea {
    const rows = this.rows.filter(({ track }) => tracks.length === 0 || tracks.includes(track));
    const sums = rows.map((row) => ({ track: row.track, ...this.sumOf(row, fromNs, toNs) }));
    const events = sums.reduce((sum, row) => sum + row.events, 0);
    const busyNs = sums.reduce((sum, row) => sum + row.busyNs, 0);
    return {
      ...{ fromNs, toNs, events, busyNs, deviceBusyNs: busyNs, deviceTimeNs: busyNs },
      ...{ timeKind: "measured", attribution: "exact" },
      operators: [{ name: "aten::addmm", events, deviceTimeNs: busyNs }],
      engines: [{ core: "0", engine: "Tensor", busyNs, timeKind: "measured" }],
      tracks: sums,
    };
  }

  match(
    find: Find,
    event: number | null,
    atNs: number,
    direction: "next" | "previous",
  ): TimelineMatch | null {
    const found = this.rows
      .flatMap((row) =>
        [...row.startNs].map((startNs, at) => ({
          event: row.first + at,
          startNs,
          durationNs: row.durationNs[at] ?? 0,
          name: this.nameOf(row.category, row.first + at),
        })),
      )
      .filter(({ name }) => this.isFound(name, find))
      .sort((left, right) => left.startNs - right.startNs || left.event - right.event);
    if (found.length === 0) return null;
    const by = direction === "next" ? 1 : -1;
    const current = found.findIndex((other) => other.event === event);
    const after = found.findIndex(({ startNs }) => startNs >= atNs);
    const index = current >= 0 ? current + by : by > 0 ? after : after - 1;
    const match = found.at(index % found.length);
    return match === undefined
      ? null
      : { ...match, count: found.length, number: found.indexOf(match) + 1 };
  }

  utilisation(
    fromNs: number,
    toNs: number,
    width: number,
    groups: readonly (readonly number[])[],
  ): TimelineUtilisation {
    // A saw tooth: what is drawn of it can be told from anything else.
    const levels = Buffer.from(Array.from({ length: width }, (_, pixel) => (pixel % 64) * 4));
    return {
      ...{ fromNs, toNs, width },
      groups: groups.map(() => ({ busyNs: 0, levels: levels.toString("base64") })),
    };
  }

  counters(fromNs: number, toNs: number, width: number): TimelineCounters {
    const values = Float32Array.from({ length: width }, () => 1e9);
    const mean = Buffer.from(values.buffer).toString("base64");
    return { fromNs, toNs, width, counters: [{ counter: 0, mean, highest: mean }] };
  }

  private isFound(name: number, { text = "" }: Find): boolean {
    return (this.names[name] ?? "").toLowerCase().includes(text.toLowerCase());
  }

  /** The runtime call that launched a device event: any will do, but always the same. */
  private callOf(at: number): number {
    return (this.rows.find(({ category }) => category === 5)?.first ?? 0) + at;
  }

  private link(event: number): EventLink {
    const row = this.rows.find((other) => event < other.first + other.startNs.length);
    const at = event - (row?.first ?? 0);
    return {
      event,
      kind: "launches",
      name: this.names[this.nameOf(row?.category ?? 0, event)] ?? "",
      track: row?.track ?? 0,
      depth: row?.depth ?? 0,
      startNs: row?.startNs[at] ?? 0,
      durationNs: row?.durationNs[at] ?? 0,
    };
  }

  private sumOf(row: Row, fromNs: number, toNs: number) {
    const inside = [...row.startNs.keys()].filter(
      (at) => (row.startNs[at] ?? 0) < toNs && end(row, at) > fromNs,
    );
    const busyNs = inside.reduce((sum, at) => {
      const startNs = Math.max(row.startNs[at] ?? 0, fromNs);
      return sum + Math.min(end(row, at), toNs) - startNs;
    }, 0);
    return { events: inside.length, busyNs };
  }

  private spansIn(fromNs: number, toNs: number, binNs: number): PlainSpan[] {
    const spans: PlainSpan[] = [];
    for (const row of this.rows) {
      let open: { -readonly [Key in keyof PlainSpan]: PlainSpan[Key] } | undefined;
      let openBin = -1;
      let longestNs = 0;
      for (let at = firstIn(row, fromNs); at < row.startNs.length; at += 1) {
        const startNs = row.startNs[at] ?? 0;
        const durationNs = row.durationNs[at] ?? 0;
        if (startNs >= toNs) {
          break;
        }
        const event = row.first + at;
        const bin = durationNs >= binNs ? -1 : Math.floor(startNs / binNs);
        if (open !== undefined && bin >= 0 && bin === openBin) {
          open.merged += 1;
          open.busy_ns += durationNs;
          open.duration_ns = startNs + durationNs - open.start_ns;
          if (durationNs > longestNs) {
            longestNs = durationNs;
            open.event = event;
            open.name = this.nameOf(row.category, event);
          }
          continue;
        }
        openBin = bin;
        longestNs = durationNs;
        open = {
          start_ns: startNs,
          duration_ns: durationNs,
          busy_ns: durationNs,
          event,
          merged: 1,
          name: this.nameOf(row.category, event),
          track: row.track,
          depth: row.depth,
          category: row.category,
        };
        spans.push(open);
      }
    }
    return spans;
  }

  private nameOf(category: number, event: number): number {
    const before = NAMES.slice(0, category).reduce((sum, names) => sum + names.length, 0);
    return before + ((event * 7 + (event >> 3)) % (NAMES[category]?.length ?? 1));
  }
}

/** A row whose events split statements one after another, with idle gaps between them. */
function filled(
  first: number,
  lengthsNs: readonly number[],
  place: Place,
  random: () => number,
): Row {
  const { splits } = place;
  const startNs = new Float64Array(lengthsNs.length * splits);
  const durationNs = new Float64Array(lengthsNs.length * splits);
  // The device runs what the host launched a little later.
  let statementNs = place.category === 6 ? 30_000 : 0;
  lengthsNs.forEach((lengthNs, statement) => {
    for (let split = 0; split < splits; split += 1) {
      const at = statement * splits + split;
      startNs[at] = Math.round(statementNs + (lengthNs * split) / splits);
      durationNs[at] = Math.round((lengthNs / splits) * (splits === 1 ? 1 : 0.35 + 0.6 * random()));
    }
    statementNs += lengthNs * 1.05;
  });
  return { ...place, first, startNs, durationNs };
}

function firstIn(row: Row, fromNs: number): number {
  let [low, high] = [0, row.startNs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (end(row, middle) <= fromNs) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

function end(row: Row, index: number): number {
  return (row.startNs[index] ?? 0) + (row.durationNs[index] ?? 0);
}

/** The same numbers every time. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}
