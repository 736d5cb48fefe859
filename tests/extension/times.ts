// The times in a text that people see, and whether `≈` is before those that are predicted.

export type Kind = "predicted" | "measured";

const TIME = /(≈?)[+-]?<?\d[\d.,]* (?:ns|µs|ms|s)\b/gu;

/** Every time in a text, as it is written. */
export function timesIn(text: string): readonly string[] {
  return [...text.matchAll(TIME)].map(([time]) => time);
}

/** Those whose mark is not as their kind wants it. */
export function wronglyMarked(text: string, kind: Kind): readonly string[] {
  return timesIn(text).filter((time) => time.startsWith("≈") !== (kind === "predicted"));
}
