// The tables there are, and what is said where one is empty.

import type { TableOrder } from "../../src/protocol";

export type TableName = TableOrder["table"];

export interface TableKind {
  readonly title: string;
  /** Why it may be empty, and what to do about it. */
  readonly empty: string;
}

const NO_DEVICE_TIME =
  "No device time was recorded: profile the script again, on a device or with --target virtual.";

export const TABLES: Readonly<Record<TableName, TableKind>> = {
  operators: { title: "Operators", empty: NO_DEVICE_TIME },
  lines: { title: "Lines", empty: NO_DEVICE_TIME },
  modules: { title: "Modules", empty: NO_DEVICE_TIME },
  kernels: {
    title: "Kernels",
    empty:
      "No kernels ran: where the CPU is the device, operators are all there is. Profile on a " +
      "device, or with --target virtual, to have kernels.",
  },
  tensors: {
    title: "Tensors",
    empty:
      "Nothing recorded tells of the program's tensors. A device profile of Neuron's (an NTFF with " +
      "its NEFF) does: open one.",
  },
};

export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];
