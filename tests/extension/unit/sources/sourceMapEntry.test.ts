import { describe, expect, test } from "vitest";

import { sourceMapEntry } from "../../../../extension/src/sources/sourceMapEntry";

describe("what is remembered", () => {
  test.each([
    ["/home/a/net/model.py", "/w/lib/net/model.py", "/w", "/home/a", "lib"],
    ["/home/a/net/model.py", "/w/net/model.py", "/w", "/home/a", "."],
    ["/home/a/model.py", "/w/deep/net/renamed.py", "/w", "/home/a/model.py", "deep/net/renamed.py"],
    ["C:\\work\\net\\model.py", "/w/net/model.py", "/w", "C:\\work", "."],
    ["/model.py", "/w/src/model.py", "/w", "/", "src"],
    ["net/model.py", "/w/src/net/model.py", "/w", "net", "src/net"],
    ["model.py", "/w/src/model.py", "/w", "model.py", "src/model.py"],
    ["/home/a/model.py", "/elsewhere/model.py", "/w", "/home/a", "/elsewhere"],
    ["/home/a/model.py", "/w/model.py", undefined, "/home/a", "/w"],
    ["/home/a/model.py", "/wide/model.py", "/w", "/home/a", "/wide"],
  ])("%s is %s", (file, chosen, folder, there, here) => {
    expect(sourceMapEntry(file, chosen, folder)).toEqual({ there, here });
  });
});
