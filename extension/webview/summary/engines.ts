// How much of the time each engine was active.

import type { EngineUse } from "../../src/documents";
import { fractionText, sourceText } from "../analysis/metricText";
import { absent, section } from "../analysis/section";
import type { TabContext } from "../analysis/tab";
import { element } from "../page/dom";
import { figureTable } from "../page/figureTable";

const TITLE = "Engine utilisation";

const NAMES: Readonly<Record<string, string>> = {
  tensor: "Tensor",
  vector: "Vector",
  scalar: "Scalar",
  gpsimd: "GpSimd",
  sync: "Sync",
  dma: "DMA",
};

/** The section. */
export function enginesSection({ overview }: TabContext): HTMLElement {
  const { engines } = overview.core;
  if (engines.every(({ active }) => active.value === null)) {
    return absent(
      TITLE,
      "",
      "How busy the engines are is not known.",
      "Open a device profile of Neuron's (a NEFF with its NTFF), or open this input again with a",
      "chip to price it for.",
    );
  }
  const columns = [
    { title: "Engine" },
    { title: "Active", isFigure: true },
    { title: "Part of the time" },
    { title: "From" },
  ];
  const rows = engines.map(
    ({ engine, active }) =>
      [NAMES[engine] ?? engine, fractionText(active), bar(active), sourceText(active)] as const,
  );
  return section(TITLE, "", figureTable("How much of the time each was active", columns, rows));
}

/** For the eye: the figure stands beside it. */
function bar({ value }: EngineUse["active"]): HTMLElement {
  const made = element("span", "gauge");
  made.setAttribute("aria-hidden", "true");
  if (value !== null) {
    const filled = element("span", "fill first");
    filled.style.width = `${String(100 * Math.min(value, 1))}%`;
    made.append(filled);
  }
  return made;
}
