// Which traces were read before, so that opening one again does not read it again.

import { readdir, stat } from "node:fs/promises";
import * as path from "node:path";

import { exists } from "../files";
import type { Memory } from "../memory";
import type { PricingParams } from "../protocol";

const KEY = "readTraces";
const MOST_TRACES = 100;
const MOST_FILES = 10_000;

/** The trace as it was read, and the profile it became. */
type Entry = readonly [trace: string, profile: string];

export class TraceMemory {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** The profile a trace was read into and priced for this, if both are as they were. */
  async profileOf(trace: string, pricing: PricingParams | null): Promise<string | undefined> {
    const state = await stateOf(trace, pricing);
    const profile = this.#entries().find(([known]) => known === state)?.[1];
    if (profile === undefined) return undefined;
    return (await exists(path.join(profile, "profile.json"))) ? profile : undefined;
  }

  async remember(trace: string, pricing: PricingParams | null, profile: string): Promise<void> {
    const state = await stateOf(trace, pricing);
    const others = this.#entries().filter(([known]) => known !== state);
    await this.#memory.update(KEY, [[state, profile], ...others].slice(0, MOST_TRACES));
  }

  #entries(): readonly Entry[] {
    return (this.#memory.get(KEY) as readonly Entry[] | undefined) ?? [];
  }
}

/** Another size or time of change is another trace; of a folder, of any file in it. */
async function stateOf(trace: string, pricing: PricingParams | null): Promise<string> {
  const found = await stat(trace);
  const size = found.isDirectory() ? await sizeOfFolder(trace) : found.size;
  const known = [trace, size, found.mtimeMs];
  return JSON.stringify(pricing === null ? known : [...known, pricing]);
}

/** What changes when a file in a folder does: their number, sizes and latest time of change. */
async function sizeOfFolder(folder: string): Promise<string> {
  let count = 0;
  let bytes = 0;
  let latestMs = 0;
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined && count < MOST_FILES; next = waiting.pop()) {
    // Links are not followed, so that this ends.
    for (const entry of await readdir(next, { withFileTypes: true })) {
      const file = path.join(next, entry.name);
      if (entry.isDirectory()) waiting.push(file);
      if (!entry.isFile()) continue;
      const { size, mtimeMs } = await stat(file);
      count += 1;
      bytes += size;
      latestMs = Math.max(latestMs, mtimeMs);
    }
  }
  return [count, bytes, latestMs].join(" ");
}
