// How often the server may end unasked before it is left alone.

const CRASHES = 5;
const WINDOW_MS = 3 * 60_000;

/** Counts crashes: five within three minutes are too many to go on. */
export class CrashHistory {
  #timesMs: number[] = [];

  /** Takes down a crash and says whether to start the server again. */
  record(nowMs: number): "restart" | "give up" {
    this.#timesMs = [...this.#timesMs.filter((timeMs) => nowMs - timeMs < WINDOW_MS), nowMs];
    return this.#timesMs.length < CRASHES ? "restart" : "give up";
  }

  /** A person asked for another try. */
  forget(): void {
    this.#timesMs = [];
  }
}
