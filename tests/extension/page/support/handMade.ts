// Parts of a summary that no recording on this machine has: collectives of three sizes, memory in use,
// and several causes of idle time. The figures are made up; that they belong together is not.

import type { CollectiveGroup, Overview } from "../../../../extension/src/documents";

const PLACE = { file: "/work/<b>train.py", line: 24 } as const;

function group(kind: string, sizeBytes: number | null, times: Partial<CollectiveGroup>) {
  const found = { name: kind, kind, size_bytes: sizeBytes, ranks: 8, count: 4, total_ns: 460 };
  const quartiles = { min_ns: 90, q1_ns: 97.5, median_ns: 100, q3_ns: 107.5, max_ns: 170 };
  const whiskers = { low_ns: 90, high_ns: 100, outliers: 1, median_bytes_per_s: null };
  return { ...found, ...quartiles, ...whiskers, ...times };
}

function point(of: number, startNs: number, durationNs: number, sizeBytes: number | null) {
  const isOutlier = durationNs === 170;
  const when = { start_ns: startNs, duration_ns: durationNs, is_outlier: isOutlier };
  return { group: of, ...when, size_bytes: sizeBytes };
}

export const COLLECTIVES: Overview["collectives"] = {
  where: "device",
  time_kind: "measured",
  groups: [group("all-reduce", 4_096, {}), group("all-gather", null, { count: 1, outliers: 0 })],
  points: [
    point(0, 1_000, 100, 4_096),
    point(0, 2_000, 170, 4_096),
    point(1, 2_500, 90, null),
    point(0, 3_000, 90, 4_096),
    point(0, 4_000, 100, 4_096),
  ],
  points_left_out: 7,
};

const PEAK = { at_ns: 5_000, step: 1, ...PLACE } as const;

export const MEMORY: Overview["memory"] = {
  device: {
    peak_bytes: 20e9,
    source: "samples",
    kind: "measured",
    capacity_bytes: 24e9,
    capacity_source: "one of <b>four</b> stacks",
    share: 20 / 24,
    owner: "HBM 1",
    moment: PEAK,
    parts: [],
  },
  series: [
    {
      name: "HBM, total",
      owner: "HBM 1",
      kind: "device",
      samples: 3,
      peak_bytes: 20e9,
      peak: PEAK,
      last_bytes: 8e9,
      capacity: { capacity_bytes: 24e9, source: "one of <b>four</b> stacks" },
      points: [
        [1_000, 4e9],
        [5_000, 20e9],
        [9_000, 8e9],
      ],
    },
    {
      name: "Host memory",
      owner: "a machine",
      kind: "host",
      samples: 1,
      peak_bytes: 1e9,
      peak: { at_ns: 1_000, step: null, file: null, line: null },
      last_bytes: 1e9,
      capacity: { capacity_bytes: null, source: "nothing says" },
      points: [[1_000, 1e9]],
    },
  ],
};

const EVIDENCE = "`<img src=x onerror=alert(1)>` was launched 300 ns after the device had run out.";

export const IDLE: Overview["idle"] = {
  steps: 2,
  time_kind: "measured",
  attribution: "exact",
  span_ns: 10_000,
  device_busy_ns: 6_000,
  idle_ns: 3_600,
  between_steps_ns: 400,
  gaps: 3,
  causes: [
    {
      cause: "host_late",
      meaning: "The host launched the next work after the device had run out of it.",
      duration_ns: 2_700,
      count: 2,
      lines: [{ ...PLACE, duration_ns: 2_700, count: 2, evidence: EVIDENCE }],
    },
    {
      cause: "unknown",
      meaning: "Nothing that is recorded tells why.",
      duration_ns: 900,
      count: 1,
      lines: [{ file: null, line: null, duration_ns: 900, count: 1, evidence: "Nothing tells." }],
    },
  ],
  waiting_ns: 1_500,
  waiting: [
    {
      cause: "collective_wait",
      meaning: "A collective had to end before anything could compute.",
      duration_ns: 1_500,
      count: 1,
      lines: [{ ...PLACE, duration_ns: 1_500, count: 1, evidence: "Nothing computed." }],
    },
  ],
  longest: [
    {
      start_ns: 3_000,
      duration_ns: 1_800,
      cause: "host_late",
      ...PLACE,
      before: "aten::mm",
      evidence: EVIDENCE,
    },
    {
      start_ns: 7_000,
      duration_ns: 900,
      cause: "unknown",
      file: null,
      line: null,
      before: "aten::add",
      evidence: "Nothing tells.",
    },
  ],
};

/** A profile of figures alone: nothing of it is known that needs an event. */
export const NOTHING: Partial<Overview> = {
  headline: null,
  step_time: null,
  idle: null,
  collectives: null,
  memory: null,
  core: { flops: null, hbm: null, dma: null, engines: [] },
};
