// Where the server's environments lie, and which one counts:
//
//   environments/<hash>.<pid>.<random>/   each one whole, or being made by the process <pid>
//   <hash>.json                           names the one that serves the wheel with that hash
//   lock                                  held while one is made
//
// An environment counts from the moment its pointer is there, which is written last, at once. Two
// versions of the extension in two windows each have their own.

import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import * as path from "node:path";

import { isAlive } from "./lock";

const UNUSED_MS = 7 * 24 * 3_600_000;
const POINTER = /^[0-9a-f]+\.json$/;
const ENVIRONMENT = /^[0-9a-f]+\.\d+\.[0-9a-z]+$/;

interface Pointer {
  readonly environment: string;
}

export class EnvironmentStore {
  readonly lockFile: string;
  readonly #root: string;
  readonly #environments: string;

  constructor(root: string) {
    this.#root = root;
    this.#environments = path.join(root, "environments");
    this.lockFile = path.join(root, "lock");
  }

  /** The environment that serves a wheel, whole or not; undefined where there is none. */
  async find(hash: string): Promise<string | undefined> {
    const pointer = await this.#read(this.#pointerFile(hash));
    return pointer === undefined ? undefined : path.join(this.#environments, pointer.environment);
  }

  /** The path for a new environment. */
  async allot(hash: string): Promise<string> {
    await mkdir(this.#environments, { recursive: true });
    const random = Math.random().toString(36).slice(2, 8);
    return path.join(this.#environments, `${hash}.${process.pid}.${random}`);
  }

  /** Lets a wheel be served by an environment from now on. */
  async publish(hash: string, environment: string): Promise<void> {
    const pointer: Pointer = { environment: path.basename(environment) };
    const temporary = path.join(this.#root, `${hash}.${process.pid}.new`);
    await writeFile(temporary, JSON.stringify(pointer));
    await rename(temporary, this.#pointerFile(hash));
  }

  /** Removes the environment that serves a wheel, if there is one. */
  async withdraw(hash: string): Promise<void> {
    const environment = await this.find(hash);
    await rm(this.#pointerFile(hash), { force: true });
    if (environment !== undefined) await rm(environment, { recursive: true, force: true });
  }

  /**
   * Notes that a wheel's environment is in use today, and removes what no version of the extension
   * has used for a week, and what was left half-made. What cannot be done is left for another time:
   * another window may be at it, and a store that may only be read serves as well.
   */
  async tidy(used: string): Promise<void> {
    try {
      const now = new Date();
      await utimes(this.#pointerFile(used), now, now);
      const kept = new Set<string>();
      for (const name of await readdir(this.#root)) {
        if (!POINTER.test(name)) continue;
        const environment = await this.#stillUsed(path.join(this.#root, name));
        if (environment !== undefined) kept.add(environment);
      }
      for (const name of await readdir(this.#environments)) {
        if (kept.has(name) || isBeingMade(name)) continue;
        const removing = rm(path.join(this.#environments, name), { recursive: true, force: true });
        await removing.catch(() => undefined);
      }
    } catch {
      // Another time, then.
    }
  }

  /** The environment a pointer names; one that is out of date is removed. */
  async #stillUsed(pointerFile: string): Promise<string | undefined> {
    if (Date.now() - (await stat(pointerFile)).mtimeMs > UNUSED_MS) {
      await rm(pointerFile, { force: true });
      return undefined;
    }
    return (await this.#read(pointerFile))?.environment;
  }

  #pointerFile(hash: string): string {
    return path.join(this.#root, `${hash}.json`);
  }

  async #read(file: string): Promise<Pointer | undefined> {
    try {
      const pointer = JSON.parse(await readFile(file, "utf8")) as Partial<Pointer>;
      // Only ever a name inside: a damaged pointer leads nowhere else.
      const { environment } = pointer;
      return environment !== undefined && ENVIRONMENT.test(environment)
        ? { environment }
        : undefined;
    } catch {
      return undefined;
    }
  }
}

function isBeingMade(name: string): boolean {
  const pid = Number(name.split(".")[1]);
  return Number.isInteger(pid) && isAlive(pid);
}
