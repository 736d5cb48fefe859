// Figures and where they are from, in the words of `sidelight summary`.

import type { Metric } from "../../src/documents";
import { share } from "../units";

const SOURCES = {
  rows: "",
  vendor: "as the file's summary has it",
  predicted: "predicted",
} as const;

export const UNKNOWN = "unknown";

/** A fraction as a share of the whole, such as `≈12.4%`. */
export function fractionText({ value, source }: Metric): string {
  if (value === null) return UNKNOWN;
  // More than all of it cannot be; it is not to be hidden either.
  const text = value > 1 ? `${(100 * value).toFixed(0)}%` : share(value, 1);
  return (source === "predicted" ? "≈" : "") + text;
}

/** Where a figure is from; empty for the profile's own rows. */
export function sourceText({ source }: Pick<Metric, "source">): string {
  return SOURCES[source];
}

/** A share of what may be predicted; `0%` of nothing. */
export function shareText(part: number, whole: number, predicted: boolean): string {
  return (predicted ? "≈" : "") + (share(part, whole) || "0%");
}

/** A whole number, in groups of three digits. */
export function countText(count: number): string {
  return count.toLocaleString("en-US");
}
