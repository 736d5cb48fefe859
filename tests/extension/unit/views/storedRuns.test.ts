import { expect, test } from "vitest";

import type { ProfileEntry, StoreListing } from "../../../../extension/src/protocol";
import { rankLabel, runDescription, runLabel } from "../../../../extension/src/views/profileText";
import { runsOf, shownOf } from "../../../../extension/src/views/storedRuns";

const CREATED = "2026-01-15T12:00:00.000Z";

function entry(directory: string, rank: number | null, shown = false): ProfileEntry {
  return {
    ...{ directory, id: directory, name: "train", created: CREATED, target: "neuron" },
    ...{ device: "trn2", timeKind: "measured", pricedFor: null, steps: 1, sizeBytes: 1 },
    deviceTimeNs: 1_000 * (1 + (rank ?? 0)),
    worldSize: rank === null ? null : 3,
    ...{ rank, shown },
  };
}

function listing(profiles: readonly ProfileEntry[], runs: readonly string[][]): StoreListing {
  const folder = { folderUri: "file:///w", folderName: "w", directory: "/w/.sidelight" };
  return { ...folder, profiles, runs, sizeBytes: 1, problems: [] };
}

test("ranks of a run stand together, by rank, where the newest of them is", () => {
  const [zero, one, two] = [entry("f", 0), entry("d", 1, true), entry("a", 2)];
  const [newest, middle] = [entry("g", null), entry("c", null)];
  const store = listing([newest, zero, one, middle, two], [["f", "d", "a"]]);
  expect(runsOf(store)).toEqual([[newest], [zero, one, two], [middle]]);
  expect(shownOf([zero, one, two])).toBe(one);
  expect(shownOf([zero, two])).toBe(zero);
});

test("a run tells how many ranks it has and which is shown", () => {
  const run = [entry("f", 0), entry("d", 1, true)] as const;
  const nowMs = Date.parse(CREATED);
  expect(runLabel(run)).toBe("train");
  expect(runDescription(run, nowMs)).toBe("2 ranks · rank 1: 2.00 µs a step · neuron · just now");
  expect(run.map(rankLabel)).toEqual(["Rank 0", "Rank 1"]);
});
