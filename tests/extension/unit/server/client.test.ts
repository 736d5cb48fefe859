// The server's lives: when it is started, again and no more. Its process and its protocol are
// stood in for here; the real ones run in the tests with an editor.

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { ServerClient } from "../../../../extension/src/server/client";
import { setWorkspace, told } from "../vscode";

interface Options {
  readonly python: string;
  readonly onEnded: (how: string) => void;
}

const { opened } = vi.hoisted(() => ({ opened: [] as Options[] }));

vi.mock("../../../../extension/src/server/connection", () => ({
  NotReadyError: class extends Error {},
  Connection: {
    open: (options: Options) => {
      opened.push(options);
      return Promise.resolve({
        request: (method: string) => Promise.resolve(`${method} of ${options.python}`),
        close: () => Promise.resolve(),
      });
    },
  },
}));

const log = { info: () => undefined, error: () => undefined, show: () => undefined };
let pythons: Promise<string>[];
let client: ServerClient;
let starts: number;

beforeEach(() => {
  opened.length = 0;
  told.length = 0;
  pythons = [];
  starts = 0;
  setWorkspace({});
  const environment = {
    directory: "/environment",
    python: () => pythons.shift() ?? Promise.resolve("python"),
    repair: () => Promise.resolve(false),
  };
  client = new ServerClient(log as never, environment as never);
  client.onDidStart(() => (starts += 1));
});

afterEach(() => {
  client.dispose();
});

function failing(message: string): Promise<string> {
  const failure = Promise.reject(new Error(message));
  failure.catch(() => undefined);
  return failure;
}

async function crash(): Promise<void> {
  const before = starts;
  opened.at(-1)?.onEnded("SIGKILL ended it");
  await vi.waitFor(() => {
    if (starts === before) throw new Error("not started again");
  });
}

test("looking whether there is something to show starts nothing, asking for something does", async () => {
  await expect(client.requestIfStarted("sidelight/listProfiles", {})).rejects.toThrow(
    /not running yet/,
  );
  expect(opened).toEqual([]);
  expect(await client.request("sidelight/listProfiles", {})).toBe(
    "sidelight/listProfiles of python",
  );
  expect(await client.requestIfStarted("sidelight/shownProfiles", {})).toContain("python");
  expect(opened).toHaveLength(1);
});

test("a failure is told once to whoever asked, and not again by the client", async () => {
  pythons = [failing("No Python was found.")];
  await expect(client.request("sidelight/listProfiles", {})).rejects.toThrow(
    "No Python was found.",
  );
  expect(told).toEqual([]);
});

test("a start that nobody waits for tells its failure", async () => {
  pythons = [failing("No Python was found.")];
  await client.start();
  expect(told).toEqual(["No Python was found."]);
});

test("a restart does not wait for an environment that is still being made", async () => {
  pythons = [new Promise(() => undefined), Promise.resolve("ready")];
  const first = client.request("sidelight/listProfiles", {});
  const cancelled = expect(first).rejects.toThrow("Canceled");
  await client.restart();
  await cancelled;
  expect(opened.map(({ python }) => python)).toEqual(["ready"]);
});

test("a setting that was wrong and is put right starts it again", async () => {
  pythons = [failing("It does not serve.")];
  await client.start();
  expect(starts).toBe(0);
  setWorkspace({ "sidelight.server.python": "/good" });
  await vi.waitFor(() => {
    expect(starts).toBe(1);
  });
});

test("a setting of a server that nobody wanted yet starts nothing", async () => {
  setWorkspace({ "sidelight.server.python": "/good", "sidelight.server.wheels": "/wheels" });
  await expect(client.requestIfStarted("sidelight/listProfiles", {})).rejects.toThrow();
  expect(opened).toEqual([]);
});

test("wheels are no reason to end a server that runs", async () => {
  await client.start();
  setWorkspace({ "sidelight.server.wheels": "/wheels" });
  await client.requestIfStarted("sidelight/listProfiles", {});
  expect(opened).toHaveLength(1);
});

test("what ends is started again, five times and no more until a person wants it", async () => {
  await client.start();
  for (let crashes = 1; crashes < 5; crashes += 1) await crash();
  expect(told).toEqual([]);
  opened.at(-1)?.onEnded("SIGKILL ended it");
  expect(told).toEqual([expect.stringContaining("ended five times")]);

  await client.start();
  await expect(client.request("sidelight/listProfiles", {})).rejects.toThrow(/five times/);
  expect(opened).toHaveLength(5);
  expect(told).toHaveLength(1);

  await client.restart();
  expect(opened).toHaveLength(6);
  await crash();
  expect(told).toHaveLength(1);
});

test("what ends after it was stopped stays ended", async () => {
  await client.start();
  await client.stop();
  opened[0]?.onEnded("it ended with status 0");
  await expect(client.requestIfStarted("sidelight/listProfiles", {})).rejects.toThrow();
  expect(opened).toHaveLength(1);
});
