import { expect, test } from "vitest";

import { LaunchChoices } from "../../../../extension/src/profiling/launchChoices";
import { MapMemory } from "../mapMemory";

test("choices are kept a script, last used first, each once", async () => {
  const choices = new LaunchChoices(new MapMemory());
  await choices.use("/a.py", ["--fast"]);
  await choices.use("/a.py", ["--slow"]);
  await choices.use("/b.py", ["x"]);
  await choices.use("/a.py", ["--fast"]);
  expect(choices.of("/a.py")).toEqual([["--fast"], ["--slow"]]);
  expect(choices.of("/b.py")).toEqual([["x"]]);
});

test("words are told apart from one word with a space", async () => {
  const choices = new LaunchChoices(new MapMemory());
  await choices.use("/a.py", ["a b"]);
  await choices.use("/a.py", ["a", "b"]);
  expect(choices.of("/a.py")).toEqual([["a", "b"], ["a b"]]);
});

test("only the eight last used are kept", async () => {
  const choices = new LaunchChoices(new MapMemory());
  for (let number = 0; number < 12; number++) await choices.use("/a.py", [String(number)]);
  expect(choices.of("/a.py").flat()).toEqual(["11", "10", "9", "8", "7", "6", "5", "4"]);
});

test("a forgotten choice is gone, and with the last one everything", async () => {
  const memory = new MapMemory();
  const choices = new LaunchChoices(memory);
  await choices.use("/a.py", ["1"]);
  await choices.use("/a.py", ["2"]);
  await choices.forget("/a.py", ["1"]);
  expect(choices.of("/a.py")).toEqual([["2"]]);
  await choices.forget("/a.py", ["2"]);
  expect(memory.values.size).toBe(0);
});
