import fc from "fast-check";
import { expect, test } from "vitest";

import { withoutLinks } from "../../../extension/src/messages";

// What the editor takes for a link in a notification.
const LINK = /\[[^\]]+\]\((?:https?:\/\/|command:|file:)[^)\s]+/;

test("a name that is written as a link stays a name", () => {
  const name = "[open](command:workbench.action.terminal.new).pt.trace.json";
  expect(name).toMatch(LINK);
  expect(withoutLinks(name)).toBe("[open] (command:workbench.action.terminal.new).pt.trace.json");
});

test("no text gives a link", () => {
  const piece = fc.constantFrom("[", "]", "(", ")", "a", "command:x", "https://x", " ");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      expect(withoutLinks(pieces.join(""))).not.toMatch(LINK);
    }),
  );
});
