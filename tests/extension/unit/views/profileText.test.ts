import { expect, test } from "vitest";

import type { ProfileEntry } from "../../../../extension/src/protocol";
import {
  ago,
  profileAccessibleLabel,
  profileDescription,
  profileLabel,
  profileTooltip,
} from "../../../../extension/src/views/profileText";

const CREATED_MS = Date.UTC(2026, 0, 15, 12);
const MINUTE_MS = 60_000;
const PROFILE: ProfileEntry = {
  directory: "/w/.sidelight/profiles/20260115",
  id: "20260115",
  name: "rmsnorm",
  created: "2026-01-15T12:00:00.000Z",
  target: "neuron",
  device: "trn1",
  deviceTimeNs: 552_000_000,
  timeKind: "measured",
  pricedFor: null,
  steps: 20,
  rank: null,
  worldSize: null,
  sizeBytes: 291_583,
  shown: true,
};

test("a profile is described by its device time a step, target and age", () => {
  const nowMs = CREATED_MS + 2 * MINUTE_MS;
  expect(profileDescription(PROFILE, nowMs)).toBe("27.6 ms a step · neuron · 2 min ago");
  expect(profileAccessibleLabel(PROFILE, nowMs)).toBe(
    "rmsnorm, 27.6 ms a step, neuron, 2 min ago, shown",
  );
});

test("a time that was not measured is marked", () => {
  const predicted = profileDescription({ ...PROFILE, timeKind: "predicted" }, CREATED_MS);
  expect(predicted).toBe("≈27.6 ms a step · neuron · just now");
});

test("profiles that differ in what they are priced for can be told apart", () => {
  const priced = { ...PROFILE, target: "cpu", pricedFor: "trn1" };
  expect(profileDescription(priced, CREATED_MS)).toBe(
    "27.6 ms a step · cpu · priced for trn1 · just now",
  );
  expect(profileTooltip(priced)).toContain("| Priced for | trn1 |");
  expect(profileTooltip(PROFILE)).not.toContain("Priced for");
});

test("what is not known is said, not shown as nothing", () => {
  const unknown = profileDescription({ ...PROFILE, deviceTimeNs: null }, CREATED_MS);
  expect(unknown).toBe("device time unknown · neuron · just now");
  const none = profileDescription({ ...PROFILE, deviceTimeNs: 0 }, CREATED_MS);
  expect(none).toBe("no device time · neuron · just now");
});

test("one of several ranks is named with its rank", () => {
  expect(profileLabel({ ...PROFILE, rank: 3, worldSize: 8 })).toBe("rmsnorm#3");
  expect(profileLabel({ ...PROFILE, rank: 0, worldSize: 1 })).toBe("rmsnorm");
});

test.each([
  [-5_000, "just now"],
  [59_999, "just now"],
  [MINUTE_MS, "1 min ago"],
  [59 * MINUTE_MS, "59 min ago"],
  [60 * MINUTE_MS, "1 h ago"],
  [23 * 60 * MINUTE_MS, "23 h ago"],
  [24 * 60 * MINUTE_MS, "yesterday"],
  [3 * 24 * 60 * MINUTE_MS, "3 days ago"],
  [8 * 24 * 60 * MINUTE_MS, new Date(CREATED_MS).toLocaleDateString()],
])("%i ms are %j", (passedMs, text) => {
  expect(ago(CREATED_MS, CREATED_MS + passedMs)).toBe(text);
});

test("the tooltip has everything, and nothing in it is Markdown of the profile's", () => {
  const tooltip = profileTooltip({ ...PROFILE, name: "a|b](command:x)<b>", device: "`x`" });
  for (const fact of ["27&#46;6 ms a step", "292 kB", "neuron", "(shown)"]) {
    expect(tooltip).toContain(fact);
  }
  expect(tooltip).not.toMatch(/\]\(|<b>|`/);
});
