import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { EnvironmentStore } from "../../../../extension/src/server/environmentStore";

const HASH = "00ff";
/** No process has this number. */
const NOBODY = 2 ** 30;

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "sidelight-store-"));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function make(name: string): string {
  const environment = path.join(root, "environments", name);
  mkdirSync(environment, { recursive: true });
  return environment;
}

test("what nobody makes and nothing names goes; the rest stays", async () => {
  const store = new EnvironmentStore(root);
  const served = make(`${HASH}.${NOBODY}.served`);
  make(`${HASH}.${NOBODY}.forgotten`);
  const beingMade = make(`${HASH}.${process.pid}.made`);
  await store.publish(HASH, served);
  await store.tidy(HASH);
  expect(readdirSync(path.join(root, "environments")).sort()).toEqual(
    [beingMade, served].map((environment) => path.basename(environment)).sort(),
  );
});

test("what another window removes meanwhile is no failure, and nothing is removed on a guess", async () => {
  const store = new EnvironmentStore(root);
  const served = make(`${HASH}.${NOBODY}.served`);
  const forgotten = make(`${HASH}.${NOBODY}.forgotten`);
  await store.publish(HASH, served);
  // It is listed, and is gone when it is looked at.
  symlinkSync(path.join(root, "gone"), path.join(root, "abcd.json"));
  await store.tidy(HASH);
  expect(readdirSync(path.join(root, "environments"))).toContain(path.basename(forgotten));
  expect(await store.find(HASH)).toBe(served);
});

test("a store that cannot be written to is no failure", async () => {
  writeFileSync(path.join(root, "file"), "");
  await expect(new EnvironmentStore(path.join(root, "file")).tidy(HASH)).resolves.toBeUndefined();
});
