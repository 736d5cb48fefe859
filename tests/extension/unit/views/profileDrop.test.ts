import { expect, test } from "vitest";

import { addressesIn } from "../../../../extension/src/views/profileDrop";

test("a list of addresses has one a line, and comments", () => {
  const list = "# two files\r\nfile:///a.json\r\n\r\nfile:///b%20c.json\n";
  expect(addressesIn(list)).toEqual(["file:///a.json", "file:///b%20c.json"]);
  expect(addressesIn("")).toEqual([]);
});
