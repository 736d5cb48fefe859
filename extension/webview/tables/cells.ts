// What stands in a table's cells: every figure in its unit, what people know as "a step" by the step.

import type { Column, TablePage } from "../../src/documents";
import { duration, flops, meanCount, ratio, share, size } from "../units";

export type Row = TablePage["rows"][number];

/** What tells how a table's figures are known. */
export interface Known {
  readonly timeKind: TablePage["time_kind"];
  /** How many steps sums are over. */
  readonly steps: number;
}

export const UNKNOWN = "–";

/** The text of a row's cell, to the character as the command line prints it. */
export function cellText(column: Column, row: Row, { timeKind, steps }: Known): string {
  const value = row[column.name] ?? null;
  if (value === null) return UNKNOWN;
  if (typeof value === "string") return value;
  const shown = column.per_step ? value / Math.max(steps, 1) : value;
  const isPredicted = column.is_rate ? (row["rate_kind"] ?? "measured") !== "measured" : false;
  switch (column.unit) {
    case "ns":
      return duration(shown, timeKind !== "measured");
    case "bytes":
      return size(shown);
    case "FLOP":
      return flops(shown);
    case "FLOP/s":
      return `${isPredicted ? "≈" : ""}${flops(shown)}/s`;
    case "FLOP/byte":
      return ratio(shown);
    case "fraction":
      return share(shown, 1);
    case "times":
      return `${ratio(shown, isPredicted)}x`;
    case "":
      if (column.per_step) return meanCount(value, steps);
      return column.adds_up ? shown.toLocaleString("en-US") : String(shown);
  }
}

/** A row's place in the source; undefined where it is none. */
export function placeOf(row: Row | undefined): { file: string; line: number } | undefined {
  const { file, line } = row ?? {};
  return typeof file === "string" && typeof line === "number" ? { file, line } : undefined;
}
