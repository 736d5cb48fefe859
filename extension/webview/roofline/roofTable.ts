// The roofs and their ridge points with numbers and sources.

import type { Roofs } from "../../src/documents";
import { element } from "../page/dom";
import { ratio, size } from "../units";
import { dataTable } from "./dataTable";
import { rateText } from "./figures";

/** Closed at first: whoever wants to know where a roof is from opens it. */
export function roofTable({ core, compute, memory }: Roofs): HTMLElement {
  const ridges = memory.map((roof) => ({
    title: `Ridge with ${roof.memory}`,
    description: "FLOP/byte",
    isNumber: true,
  }));
  const peaks = compute.map((roof) => [
    roof.dtype,
    rateText(roof.flops_per_s),
    ...memory.map((of) => ratioOf(roof.ridge_points[of.memory])),
    roof.source,
  ]);
  const columns = [{ title: "Dtype" }, { title: "Peak", isNumber: true }];
  const bandwidths = memory.map((roof) => [
    roof.memory,
    `${size(Math.round(roof.bytes_per_s))}/s`,
    roof.source,
  ]);
  return element(
    "details",
    "roof-sources",
    element("summary", "", "Roofs, ridge points and their sources"),
    dataTable(`Peaks of ${core}`, [...columns, ...ridges, { title: "Source" }], peaks),
    dataTable(
      `Bandwidths of ${core}`,
      [{ title: "Memory" }, { title: "Bandwidth", isNumber: true }, { title: "Source" }],
      bandwidths,
    ),
  );
}

function ratioOf(intensity: number | undefined): string {
  return intensity === undefined ? "–" : `${ratio(intensity)} FLOP/byte`;
}
