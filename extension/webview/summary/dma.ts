// How well DMA was used, and how much of it moved too little at a time.

import type { DmaUse } from "../../src/documents";
import { countText, sourceText, UNKNOWN } from "../analysis/metricText";
import { absent, section } from "../analysis/section";
import type { TabContext } from "../analysis/tab";
import { figureTable, type Row } from "../page/figureTable";
import { share, size } from "../units";

const TITLE = "DMA transfers";

/** The section. */
export function dmaSection({ overview }: TabContext): HTMLElement {
  const { dma } = overview.core;
  if (dma === null) {
    return absent(
      TITLE,
      "",
      "No DMA transfer is recorded.",
      "Open a device profile of Neuron's, which has each transfer.",
    );
  }
  const columns = [{ title: "What" }, { title: "Value", isFigure: true }, { title: "Besides" }];
  return section(TITLE, "", figureTable(TITLE, columns, rowsOf(dma)));
}

/** As `sidelight summary` has them, and what it leaves out for want of room. */
function rowsOf(dma: DmaUse): readonly Row[] {
  const { transfers, moved_bytes: moved, mean_bytes: mean, small_transfers: small } = dma;
  const rate = (perSecond: number | null): string =>
    perSecond === null ? UNKNOWN : `${size(Math.round(perSecond))}/s`;
  return [
    [
      "transfers",
      transfers === null ? UNKNOWN : countText(transfers),
      [moved === null ? "" : size(moved), sourceText(dma)].filter((text) => text !== "").join(", "),
    ],
    ["mean size", mean === null ? UNKNOWN : size(Math.round(mean)), ""],
    [
      `of less than ${countText(dma.small_below_bytes)} B`,
      small === null || transfers === null ? UNKNOWN : share(small, transfers),
      small === null ? "" : "too small to use the bandwidth",
    ],
    [
      "moved by these",
      dma.small_bytes === null || moved === null ? UNKNOWN : share(dma.small_bytes, moved),
      dma.small_bytes === null ? "" : size(dma.small_bytes),
    ],
    [
      "of the time, active",
      dma.active_fraction === null ? UNKNOWN : share(dma.active_fraction, 1),
      "",
    ],
    [
      "of the bandwidth, while active",
      dma.efficiency === null ? UNKNOWN : share(dma.efficiency, 1),
      `${rate(dma.bytes_per_s)} of ${rate(dma.peak_bytes_per_s)}`,
    ],
  ];
}
