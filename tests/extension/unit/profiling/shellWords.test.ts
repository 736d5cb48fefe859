import fc from "fast-check";
import { expect, test } from "vitest";

import { joinWords, splitWords } from "../../../../extension/src/profiling/shellWords";

test.each([
  ["", []],
  ["   ", []],
  ["--steps 3", ["--steps", "3"]],
  [" a\t b ", ["a", "b"]],
  [`--name "two words" 'it is'`, ["--name", "two words", "it is"]],
  [`a'b c'd`, ["ab cd"]],
  [`''`, [""]],
  [`"say \\"hi\\""`, ['say "hi"']],
  [`a\\ b`, ["a b"]],
  [`$HOME *.py`, ["$HOME", "*.py"]],
])("%j is the words %j", (line, words) => {
  expect(splitWords(line)).toEqual(words);
});

test.each([`"open`, `it's`, `end\\`])("%j is not finished, and it says where", (line) => {
  expect(() => splitWords(line)).toThrow(/at character \d+ is not finished/);
});

test("words come back as they were", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (words) => {
      expect(splitWords(joinWords(words))).toEqual(words);
    }),
  );
});
