import { expect, test } from "vitest";

import { idTime, stillHolds } from "../../../../extension/src/annotations/choices";

const MADE = "20261130-060102-345";
const BEFORE = "/a/.sidelight/profiles/20261130-060102-344-ffff";
const AFTER = "/a/.sidelight/profiles/20261130-060102-345-0000";
const AFTER_ELSEWHERE = "/b/.sidelight/profiles/20261130-060103-000-0000";

test("a moment is written as ids of profiles are", () => {
  expect(idTime(new Date("2026-11-30T06:01:02.345Z"))).toBe(MADE);
});

test("nothing stays shown until any profile is written", () => {
  expect(stillHolds({ madeAt: MADE }, [BEFORE])).toBe(true);
  expect(stillHolds({ madeAt: MADE }, [BEFORE, AFTER_ELSEWHERE])).toBe(false);
});

test("a chosen profile stays shown until one is written to its own store", () => {
  const choice = { directory: BEFORE, madeAt: MADE };
  expect(stillHolds(choice, [BEFORE, AFTER_ELSEWHERE])).toBe(true);
  expect(stillHolds(choice, [BEFORE, AFTER])).toBe(false);
});

test("a chosen profile that is gone is not asked for again", () => {
  expect(stillHolds({ directory: BEFORE, madeAt: MADE }, [])).toBe(false);
});
