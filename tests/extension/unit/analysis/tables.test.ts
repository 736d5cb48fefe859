import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { columnWidths } from "../../../../extension/webview/tables/columnWidths";
import { HEADINGS, pressed } from "../../../../extension/webview/tables/gridKeys";
import { RowSelection } from "../../../../extension/webview/tables/rowSelection";

describe("chosen rows", () => {
  it("are told in stretches that hold them, and no others", () => {
    const clicks = fc.array(fc.tuple(fc.constantFrom("only", "toggle", "extend"), fc.nat(12)));
    fc.assert(
      fc.property(clicks, (made) => {
        const selection = new RowSelection();
        for (const [how, row] of made) selection[how](row);
        const ranges = selection.ranges();
        const told = ranges.flatMap(({ first, count }) =>
          Array.from({ length: count }, (_, index) => first + index),
        );
        const held = Array.from({ length: 13 }, (_, row) => row).filter((row) =>
          selection.has(row),
        );
        expect(told).toEqual(held);
        expect(selection.size).toBe(held.length);
        // Stretches that touch would be one.
        for (const [index, { first }] of ranges.entries()) {
          const before = ranges[index - 1];
          if (before !== undefined) expect(first).toBeGreaterThan(before.first + before.count);
        }
      }),
    );
  });

  it("reach from the one that was chosen last", () => {
    const selection = new RowSelection();
    selection.only(4);
    selection.extend(6);
    selection.extend(2);
    expect(selection.ranges()).toEqual([{ first: 2, count: 3 }]);
    selection.toggle(3);
    expect(selection.ranges()).toEqual([
      { first: 2, count: 1 },
      { first: 4, count: 1 },
    ]);
  });
});

describe("keys in a grid", () => {
  const key = (name: string, ctrlKey = false, shiftKey = false) => ({
    ...{ key: name, ctrlKey, shiftKey, metaKey: false, altKey: false },
  });
  const size = { rows: 30, columns: 4, page: 10 };
  const to = (name: string, row: number, column: number, ctrl = false): unknown => {
    const done = pressed(key(name, ctrl), { row, column }, size);
    return done?.type === "move" ? [done.to.row, done.to.column] : done?.type;
  };

  it("move by cells, pages and to the ends, and stay within", () => {
    expect(to("ArrowDown", 29, 2)).toEqual([29, 2]);
    expect(to("ArrowUp", 0, 2)).toEqual([HEADINGS, 2]);
    expect(to("ArrowUp", HEADINGS, 2)).toEqual([HEADINGS, 2]);
    expect(to("ArrowRight", 3, 3)).toEqual([3, 3]);
    expect(to("PageDown", 25, 0)).toEqual([29, 0]);
    expect(to("PageUp", 5, 0)).toEqual([0, 0]);
    expect(to("Home", 5, 3)).toEqual([5, 0]);
    expect(to("End", 5, 0)).toEqual([5, 3]);
    expect(to("Home", 5, 3, true)).toEqual([0, 0]);
    expect(to("End", 5, 0, true)).toEqual([29, 3]);
  });

  it("do something, and leave all others alone", () => {
    expect(to("Enter", 1, 1)).toBe("open");
    expect(to(" ", 1, 1)).toBe("choose");
    expect(to("t", 1, 1)).toBe("timeline");
    expect(to("a", 1, 1, true)).toBe("chooseAll");
    expect(to("c", 1, 1, true)).toBe("copy");
    expect(to("C", 1, 1, true)).toBe("copy");
    for (const name of ["Tab", "c", "a", "F5", "toString"]) expect(to(name, 1, 1)).toBeUndefined();
  });
});

describe("columns", () => {
  it("have room for their figures; names leave room for those", () => {
    const widths = columnWidths(
      [
        { isNumber: false, texts: ["x".repeat(300)] },
        { isNumber: true, texts: ["≈12.4 ms", "1"] },
        { isNumber: false, texts: ["y".repeat(300)] },
        { isNumber: true, texts: ["1"] },
      ],
      320,
    );
    expect(widths[0]).toBe(144);
    expect(widths[1]).toBeGreaterThan(8 * 7);
    expect(widths[2]).toBe(230);
    expect(widths[3]).toBe(58);
  });
});
