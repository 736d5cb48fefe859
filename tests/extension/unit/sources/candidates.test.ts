import { expect, test } from "vitest";

import { globFor, theOnlyOne } from "../../../../extension/src/sources/candidates";
import type { SourceCandidate } from "../../../../extension/src/protocol";

const candidate = (sameEnd: number, alike: number | null): SourceCandidate => ({
  uri: `file:///${String(sameEnd)}/${String(alike)}.py`,
  sameEnd,
  alike,
});

test.each([
  ["/home/a/net/model.py", "**/model.py"],
  ["C:\\work\\model.py", "**/model.py"],
  ["model.py", "**/model.py"],
  ["/a/{x,y}[1] *.py", "**/?x?y??1???.py"],
  ["/a/modèle.py", "**/modèle.py"],
  ["/a/", undefined],
  ["", undefined],
])("%s is looked for as %s", (file, glob) => {
  expect(globFor(file)).toBe(glob);
});

test.each([
  ["the only one that holds its lines", [candidate(1, 0.8)]],
  ["the only one where the text is not known", [candidate(2, null)]],
  ["the one with more of the path, and as many lines", [candidate(3, 0.9), candidate(1, 0.9)]],
])("%s is it", (_, candidates) => {
  expect(theOnlyOne(candidates)).toBe(candidates[0]);
});

test.each([
  ["none", []],
  ["two of one path's length", [candidate(2, 1), candidate(2, 0.9)]],
  ["one nearer by its path, one by its lines", [candidate(3, 0.6), candidate(1, 1)]],
  ["one of which nothing but the name is known", [candidate(1, null)]],
])("of %s a person has to say", (_, candidates) => {
  expect(theOnlyOne(candidates)).toBeUndefined();
});
