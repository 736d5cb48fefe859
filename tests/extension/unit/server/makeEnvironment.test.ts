// Environments are really made here, with this machine's Python and pip, from tiny wheels.

import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm, symlink, unlink, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { createInterface } from "node:readline";

import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { environmentPython } from "../../../../extension/src/python/paths";
import { checkServer } from "../../../../extension/src/server/checkServer";
import {
  findEnvironment,
  makeEnvironment,
  type Making,
  type Recipe,
} from "../../../../extension/src/server/makeEnvironment";
import { MakingError } from "../../../../extension/src/server/makingFailures";
import { carriedWheel, type Wheel } from "../../../../extension/src/server/wheel";
import { writeWheel } from "./wheels";

const VERSION = "0.1.0";

let directory: string;
let root: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "sidelight-environment-"));
  root = path.join(directory, "storage", "server");
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
});

test("makes an environment that has the server and what it needs", async () => {
  const recipe = await recipeFor("one", { requires: ["sidelight_needs>=1"] });
  const making = recorded();

  const python = await makeEnvironment(recipe, making);

  expect(await checkServer(python, VERSION, root)).toBeUndefined();
  expect(await findEnvironment(root, recipe.wheel, VERSION)).toEqual({ state: "whole", python });
  expect(making.stages[0]).toBe("looking for Python");
  expect(making.stages).toContain("checking");
  expect(making.stages.some((stage) => stage.startsWith("Installing collected packages"))).toBe(
    true,
  );

  const again = recorded();
  expect(await makeEnvironment(recipe, again)).toBe(python);
  expect(again.stages).toEqual([]);
});

describe("an environment there already", () => {
  test("is made anew when its Python is gone, or what it needs", async () => {
    const recipe = await recipeFor("one", { requires: ["sidelight_needs>=1"] });
    const first = await makeEnvironment(recipe, recorded());

    const lib = path.join(path.dirname(path.dirname(first)), "lib");
    const [version] = await readdir(lib);
    const needed = path.join(lib, version ?? "", "site-packages", "sidelight_needs-1.0.dist-info");
    await rm(needed, { recursive: true });
    expect(await findEnvironment(root, recipe.wheel, VERSION)).toEqual({ state: "broken" });

    await unlink(first);
    await symlink(path.join(directory, "no-such-python"), first);
    expect(await findEnvironment(root, recipe.wheel, VERSION)).toEqual({ state: "broken" });
    const second = await makeEnvironment(recipe, recorded());
    expect(second).not.toBe(first);
    expect(await checkServer(second, VERSION, root)).toBeUndefined();
    expect(await environments()).toEqual([environmentOf(second)]);
  });

  test("is not used for another wheel, and goes when nobody has used it for a week", async () => {
    const old = await recipeFor("one");
    const oldPython = await makeEnvironment(old, recorded());
    const renewed = await recipeFor("another");

    expect(await findEnvironment(root, renewed.wheel, VERSION)).toEqual({ state: "none" });
    const newPython = await makeEnvironment(renewed, recorded());
    // Another window may still run it.
    expect(await environments()).toEqual(
      [environmentOf(oldPython), environmentOf(newPython)].sort(),
    );

    const lastUse = new Date(Date.now() - 8 * 24 * 3_600_000);
    await utimes(path.join(root, `${old.wheel.hash}.json`), lastUse, lastUse);
    expect((await findEnvironment(root, renewed.wheel, VERSION)).state).toBe("whole");
    expect(await findEnvironment(root, old.wheel, VERSION)).toEqual({ state: "none" });
  });

  test("is made once by two windows that want it at the same time", async () => {
    const recipe = await recipeFor("one");
    const [first, second] = [recorded(), recorded()];

    const [onePython, otherPython] = await Promise.all([
      makeEnvironment(recipe, first),
      makeEnvironment(recipe, second),
    ]);

    expect(onePython).toBe(otherPython);
    const waited = [first, second].filter(
      ({ stages }) => stages[0]?.startsWith("waiting") === true,
    );
    expect(waited).toHaveLength(1);
  });
});

test("a window killed half-way leaves a lock and a half-made environment: both are got over", async () => {
  const recipe = await recipeFor("one");
  await killedHalfWay(recipe);
  expect(await readdir(root)).toContain("lock");
  const leftOver = await environments();
  expect(leftOver).toHaveLength(1);

  const python = await makeEnvironment(recipe, recorded());

  expect(await checkServer(python, VERSION, root)).toBeUndefined();
  expect(await environments()).toEqual([environmentOf(python)]);
  expect(await readdir(root)).not.toContain("lock");
});

test("cancelling ends the making and leaves nothing behind", async () => {
  const recipe = await recipeFor("one");
  const abort = new AbortController();
  const making = { ...recorded(), signal: abort.signal };
  making.report = (stage) => {
    if (stage.startsWith("making"))
      setTimeout(() => {
        abort.abort(new Error("cancelled"));
      }, 200);
  };

  await expect(makeEnvironment(recipe, making)).rejects.toThrow("cancelled");

  expect(await environments()).toEqual([]);
  expect(await readdir(root)).not.toContain("lock");
  expect(await findEnvironment(root, recipe.wheel, VERSION)).toEqual({ state: "none" });
});

test("a folder of wheels that lacks one names it and the setting", async () => {
  const recipe = await recipeFor("one", { requires: ["sidelight_has_no_such_wheel>=3"] });
  const making = makeEnvironment(recipe, recorded());
  await expect(making).rejects.toThrow(MakingError);
  await expect(making).rejects.toThrow(
    /has no wheel that fits for sidelight.has.no.such.wheel.*sidelight\.server\.wheels/,
  );
  expect(await environments()).toEqual([]);
});

test("no Python at all is told before anything is made", async () => {
  const recipe = { ...(await recipeFor("one")), candidates: [path.join(directory, "nothing")] };
  await expect(makeEnvironment(recipe, recorded())).rejects.toThrow(/there is none at all/);
});

async function recipeFor(
  comment: string,
  { requires = [] }: { readonly requires?: readonly string[] } = {},
): Promise<Recipe> {
  const carried = path.join(directory, `carried-${comment}`);
  const wheels = path.join(directory, "wheels");
  await writeWheel(carried, {
    name: "sidelight",
    version: VERSION,
    code: `__version__ = "${VERSION}"  # ${comment}\n`,
    requires,
  });
  await writeWheel(wheels, { name: "sidelight_needs", version: "1.0", code: "" });
  const wheel: Wheel = await carriedWheel(carried);
  return { root, wheel, version: VERSION, wheels, candidates: ["python3"] };
}

function recorded(): Making & { readonly stages: string[] } {
  const stages: string[] = [];
  return {
    stages,
    signal: new AbortController().signal,
    report: (stage) => stages.push(stage),
    log: () => undefined,
  };
}

/** The names of the environments there are. */
async function environments(): Promise<string[]> {
  return (await readdir(path.join(root, "environments")).catch(() => [])).sort();
}

function environmentOf(python: string): string {
  const environment = path.dirname(path.dirname(python));
  expect(environmentPython(environment)).toBe(python);
  return path.basename(environment);
}

/** Makes an environment in a process of its own and kills that when pip has begun. */
async function killedHalfWay(recipe: Recipe): Promise<void> {
  const script = path.join(directory, "make.mjs");
  const module = path.resolve("extension/src/server/makeEnvironment.ts");
  await build({
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: script,
    stdin: {
      resolveDir: process.cwd(),
      contents: `
        import { makeEnvironment } from ${JSON.stringify(module)};
        await makeEnvironment(JSON.parse(process.argv[2]), {
          signal: new AbortController().signal,
          report: (stage) => console.log(stage),
          log: () => undefined,
        });`,
    },
  });
  const child = spawn(process.execPath, [script, JSON.stringify(recipe)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === "installing") child.kill("SIGKILL");
  }
  await ended;
}
