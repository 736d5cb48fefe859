// What the Tensor Engines' peak and HBM's bandwidth were used for.

import type { Split } from "../../src/documents";
import { sourceText, UNKNOWN } from "../analysis/metricText";
import { absent, section } from "../analysis/section";
import type { TabContext } from "../analysis/tab";
import { element } from "../page/dom";
import { figureTable } from "../page/figureTable";
import { LOOKS, partName, stackedBar } from "../page/stackedBar";
import { flops, share, size } from "../units";

const FLOPS = "FLOPs, of the Tensor Engines' peak";
const HBM = "HBM bandwidth";
const HOW_TO_KNOW = [
  "Open a device profile of Neuron's, or open this input again with a chip to price it for.",
];

/** The section on arithmetic. */
export function flopsSection({ overview }: TabContext): HTMLElement {
  const { flops: split } = overview.core;
  if (split !== null) return splitSection(FLOPS, split);
  return absent(
    FLOPS,
    "",
    "How much is computed, or how much could be, is not known.",
    ...HOW_TO_KNOW,
  );
}

/** The section on HBM. */
export function hbmSection({ overview }: TabContext): HTMLElement {
  const { hbm: split } = overview.core;
  if (split !== null) return splitSection(HBM, split);
  return absent(HBM, "", "How much HBM moves, or how much it could, is not known.", ...HOW_TO_KNOW);
}

function splitSection(title: string, split: Split): HTMLElement {
  const { unit, capacity, source, remark } = split;
  const write = unit === "FLOP" ? flops : size;
  const about = source === "predicted" ? "≈" : "";
  const last = split.parts.length - 1;
  const parts = split.parts.map(({ name, amount }, index) => {
    const look = index === last ? "rest" : LOOKS[index % LOOKS.length];
    const cells =
      amount === null ? [UNKNOWN, ""] : [about + share(amount, capacity), about + write(amount)];
    const text = cells.join(" · ");
    return { name, look: look ?? "first", amount: amount ?? 0, text, cells };
  });
  const rows = parts.map(
    ({ name, look, cells }) => [partName(name, look), cells[0] ?? "", cells[1] ?? ""] as const,
  );
  const columns = [
    { title: "Used for" },
    { title: "Share", isFigure: true },
    { title: "Amount", isFigure: true },
  ];
  const from = sourceText(split);
  const notes = [
    `Of ${write(capacity)} in the time${from === "" ? "" : `, ${from}`}.`,
    ...(remark === "" ? [] : [remark]),
  ];
  return section(
    title,
    "",
    stackedBar(title, parts),
    figureTable(title, columns, rows),
    element("p", "note", notes.join(" ")),
  );
}
