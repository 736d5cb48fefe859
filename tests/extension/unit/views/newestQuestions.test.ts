import { describe, expect, it } from "vitest";
import * as vscode from "vscode";

import { NewestQuestions, SupersededError } from "../../../../extension/src/views/newestQuestions";
import { kindOf } from "../../../../extension/src/views/timelineAnswers";

/** A server that answers when it is told to, and to a cancel with a refusal. */
class SlowServer {
  readonly asked: { answer: () => void; token: vscode.CancellationToken }[] = [];

  readonly ask = (token: vscode.CancellationToken): Promise<string> =>
    new Promise((resolve, reject) => {
      const name = `answer ${String(this.asked.length)}`;
      this.asked.push({
        answer: () => {
          resolve(name);
        },
        token,
      });
      token.onCancellationRequested(() => {
        reject(new vscode.CancellationError());
      });
    });
}

describe("the newest questions", () => {
  it("cancel those of their kind that were asked before, and no others", async () => {
    const [server, newest] = [new SlowServer(), new NewestQuestions()];
    const first = newest.ask("window", server.ask);
    const other = newest.ask("area", server.ask);
    const last = newest.ask("window", server.ask);
    await expect(first).rejects.toBeInstanceOf(SupersededError);
    expect(server.asked.map(({ token }) => token.isCancellationRequested)).toEqual([
      true,
      false,
      false,
    ]);
    for (const { answer } of server.asked) answer();
    expect(await Promise.all([other, last])).toEqual(["answer 1", "answer 2"]);
  });

  it("take an answer that is there before the cancel is heard", async () => {
    const newest = new NewestQuestions();
    const first = newest.ask("window", () => Promise.resolve("first"));
    const last = newest.ask("window", () => Promise.resolve("last"));
    expect(await Promise.all([first, last])).toEqual(["first", "last"]);
  });

  it("leave a refusal of the server's own as it is", async () => {
    const newest = new NewestQuestions();
    const closed = new vscode.CancellationError();
    const refused = newest.ask("window", () => Promise.reject(closed));
    await expect(refused).rejects.toBe(closed);
  });

  it("are all cancelled at the end", async () => {
    const [server, newest] = [new SlowServer(), new NewestQuestions()];
    const asked = newest.ask("window", server.ask);
    newest.dispose();
    await expect(asked).rejects.toBeInstanceOf(SupersededError);
  });
});

describe("the kinds of a timeline's questions", () => {
  const view = { request: 1, directory: "a", fromNs: 0, toNs: 1, width: 1 };

  it("keep what is found apart from the rest", () => {
    const window = { ...view, type: "getWindow", colourBy: "category" } as const;
    const found = { ...window, find: { text: "matmul" } };
    expect(kindOf({ ...window, find: null })).not.toBe(kindOf(found));
    expect(kindOf(found)).toBe(kindOf({ ...found, find: { text: "relu" } }));
  });

  it("keep how busy the whole run is apart from what is in view", () => {
    const busy = { ...view, type: "getUtilisation", groups: [[0]] } as const;
    const run = kindOf({ ...busy, of: "run" });
    expect(kindOf({ ...busy, of: "view" })).not.toBe(run);
    expect(run).toBe(kindOf({ ...busy, of: "run", fromNs: 1 }));
  });

  it("let no details be dropped: whoever walks along arrows waits for them", () => {
    expect(kindOf({ type: "getDetails", request: 1, directory: "a", event: 1 })).toBeUndefined();
  });
});
