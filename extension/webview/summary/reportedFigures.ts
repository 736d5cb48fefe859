// What a benchmark's report has, under its own names.

import { disclosure } from "../page/disclosure";
import { element } from "../page/dom";
import { figureTable } from "../page/figureTable";
import { plainNumber } from "../units";

/** All figures of the report, behind a button; nothing where there is none. */
export function reportedFigures(
  kpis: Readonly<Record<string, number | null>>,
): readonly HTMLElement[] {
  const rows = Object.entries(kpis).map(
    ([name, value]) => [name, value === null ? "not reported" : plainNumber(value)] as const,
  );
  if (rows.length === 0) return [];
  const columns = [{ title: "Figure" }, { title: "Value", isFigure: true }];
  const table = element("div", "", figureTable("Benchmark", columns, rows));
  return [
    disclosure(`All ${rows.length.toLocaleString("en-US")} figures of the benchmark`, table),
    table,
  ];
}
