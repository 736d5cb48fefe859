import { expect, test } from "vitest";

import { shownText } from "../../../../extension/src/annotations/shownText";
import type { ShownProfile } from "../../../../extension/src/protocol";

const PROFILE: ShownProfile = {
  folderUri: "file:///w",
  directory: "/w/.sidelight/profiles/1",
  name: "rmsnorm",
  target: "cpu",
  device: "cpu",
  timeKind: "measured",
  pricedFor: null,
  steps: 20,
  rank: null,
  worldSize: null,
  headline: "rmsnorm: 27.6 ms of device time a step",
  deviceTimeText: "27.6 ms",
  loading: false,
  problem: null,
};

test("a shown profile says its name and device time", () => {
  const { text, tooltip, label, isWarning } = shownText(PROFILE);
  expect(text).toBe("$(pulse) rmsnorm · 27.6 ms");
  expect(tooltip).toContain("27&#46;6 ms of device time a step\n\n");
  expect(tooltip).toContain("20 recorded steps");
  expect(label).toBe(
    "Sidelight shows the profile rmsnorm · 27.6 ms, rmsnorm: 27.6 ms of device time a step, " +
      "cpu · measured · 20 recorded steps",
  );
  expect(isWarning).toBe(false);
});

test("one of several ranks says which", () => {
  const { text, label } = shownText({ ...PROFILE, rank: 2, worldSize: 4 });
  expect(text).toBe("$(pulse) rmsnorm · rank 2 of 4 · 27.6 ms");
  expect(label).toContain("the profile rmsnorm · rank 2 of 4 · 27.6 ms,");
  const alone = shownText({ ...PROFILE, rank: 0, worldSize: 1 });
  expect(alone.text).toBe("$(pulse) rmsnorm · 27.6 ms");
});

test("what it is priced for is told beside what it was measured on", () => {
  const { tooltip, label } = shownText({ ...PROFILE, pricedFor: "trn2, LNC 2" });
  expect(tooltip).toContain("cpu · measured · 20 recorded steps · priced for trn2, LNC 2");
  expect(label).toMatch(/cpu · measured · 20 recorded steps · priced for trn2, LNC 2$/);
});

test("one that is loading turns, and one that cannot be shown warns and says why", () => {
  expect(shownText({ ...PROFILE, loading: true }).text).toBe("$(loading~spin) rmsnorm");
  const broken = shownText({ ...PROFILE, problem: "It is damaged." });
  expect(broken).toMatchObject({ text: "$(warning) rmsnorm", isWarning: true });
  expect(broken.tooltip).toContain("It is damaged&#46;");
  expect(broken.label).toBe("Sidelight shows the profile rmsnorm, It is damaged.");
});

test("a name is never an icon, a link or a tag", () => {
  const { text, tooltip } = shownText({
    ...PROFILE,
    name: "$(trash)",
    headline: "[x](command:evil) <img src=x> `a` https://evil.example",
  });
  expect(text).not.toContain("$(trash)");
  expect(tooltip).not.toMatch(/[[\](<>`]|https:/);
});

test("a name stays on its line and turns nothing around", () => {
  const { text, tooltip } = shownText({ ...PROFILE, name: "a\nb\u202e", headline: "c\u202e" });
  expect(text).toBe("$(pulse) a b  · 27.6 ms");
  expect(tooltip).not.toContain("\u202e");
});
