// The arguments a script was started with before: each one a way to start it again.

import type { Memory } from "../memory";

type Choices = readonly (readonly string[])[];

const MOST_CHOICES = 8;

export class LaunchChoices {
  readonly #memory: Memory;
  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** The saved arguments of a script, last used first. */
  of(script: string): Choices {
    return (this.#memory.get(key(script)) as Choices | undefined) ?? [];
  }

  /** Keeps arguments, or notes that they were used again. */
  async use(script: string, used: readonly string[]): Promise<void> {
    const others = this.of(script).filter((choice) => !isSame(choice, used));
    await this.#memory.update(key(script), [used, ...others].slice(0, MOST_CHOICES));
  }

  async forget(script: string, forgotten: readonly string[]): Promise<void> {
    const others = this.of(script).filter((choice) => !isSame(choice, forgotten));
    await this.#memory.update(key(script), others.length === 0 ? undefined : others);
  }
}

function key(script: string): string {
  return `launchChoices:${script}`;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, index) => word === other[index]);
}
