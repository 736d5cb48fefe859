// Names of exported files: made of names that anybody may have chosen.

import fc from "fast-check";
import { expect, test } from "vitest";

import { EXPORT_KINDS, fileNameFor } from "../../../../extension/src/views/exportNames";

const [html] = EXPORT_KINDS;

test.each([
  ["train", "train.html"],
  ["rmsnorm naïve #2", "rmsnorm-naïve-2.html"],
  ["../../etc/passwd", "etc-passwd.html"],
  ["C:\\Windows\\x", "C-Windows-x.html"],
  [".hidden", "hidden.html"],
  ["$(rm -rf)", "rm--rf.html"],
  ["…", "profile.html"],
  ["", "profile.html"],
])("%j becomes %j", (name, expected) => {
  expect(html).toBeDefined();
  if (html !== undefined) expect(fileNameFor(name, html)).toBe(expected);
});

test("whatever a profile is called, its file is one name in one directory", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", size: "medium" }),
      fc.constantFrom(...EXPORT_KINDS),
      (name, kind) => {
        const file = fileNameFor(name, kind);
        expect(file).toMatch(/^[\p{L}\p{N}_][\p{L}\p{N}._-]*\.\w+$/u);
        expect(file.endsWith(`.${kind.ending}`)).toBe(true);
        expect(new TextEncoder().encode(file).length).toBeLessThan(256);
      },
    ),
  );
});

test("every format has one kind", () => {
  const formats = EXPORT_KINDS.map(({ format }) => format);
  expect([...formats].sort()).toEqual(["chrome", "csv", "html", "perfetto"]);
});
