import { expect, test } from "vitest";

import { CrashHistory } from "../../../../extension/src/server/crashes";

const SECOND_MS = 1_000;

test("the fifth crash within three minutes is the last", () => {
  const history = new CrashHistory();
  const answers = [0, 10, 20, 30, 40].map((second) => history.record(second * SECOND_MS));
  expect(answers).toEqual(["restart", "restart", "restart", "restart", "give up"]);
});

test("crashes far apart never are", () => {
  const history = new CrashHistory();
  for (let minute = 0; minute < 100; minute += 1) {
    expect(history.record(minute * 60 * SECOND_MS)).toBe("restart");
  }
});

test("old ones do not count", () => {
  const history = new CrashHistory();
  for (const second of [0, 1, 2, 3]) history.record(second * SECOND_MS);
  expect(history.record(182 * SECOND_MS)).toBe("restart");
});

test("a new try begins from none", () => {
  const history = new CrashHistory();
  for (const second of [0, 1, 2, 3, 4]) history.record(second * SECOND_MS);
  history.forget();
  expect(history.record(5 * SECOND_MS)).toBe("restart");
});
