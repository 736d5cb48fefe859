import { expect, test } from "vitest";
import { CancellationError } from "vscode";

import { requestError } from "../../../../extension/src/server/requestErrors";

function coded(code: number, message = "as the library says it"): Error {
  return Object.assign(new Error(message), { code });
}

test("what either side cancelled is a cancellation", () => {
  expect(requestError(coded(-32800))).toBeInstanceOf(CancellationError);
  expect(requestError(coded(-32802))).toBeInstanceOf(CancellationError);
});

test("a connection that ended is told plainly", () => {
  expect(requestError(coded(-32097)).message).toMatch(/^Sidelight's server ended/);
  expect(requestError(coded(-32096)).message).toMatch(/^Sidelight's server ended/);
});

test("the server's own sentence passes through, in the editor's words", () => {
  const sentence = "/tmp/x.json is no trace. Open one that torch.profiler wrote.";
  expect(requestError(coded(-32803, sentence)).message).toBe(sentence);
  expect(requestError("text").message).toBe("text");
  expect(requestError(coded(-32803, "trn1 has no LNC 2. Leave `--lnc` out.")).message).toBe(
    "trn1 has no LNC 2. Leave the setting sidelight.prediction.lnc out.",
  );
});
