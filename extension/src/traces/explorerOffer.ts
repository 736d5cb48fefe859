// What can be done about recordings that only Neuron Explorer can read: run it, or say where.

import * as vscode from "vscode";

import { inEditorsWords } from "../editorsWords";
import type { Remedy } from "../messages";
import type { ExplorerOffer } from "../protocol";

/** What is missing, and how to have it. */
export function offerText({ message }: ExplorerOffer): string {
  return inEditorsWords(message);
}

/** @param run Runs it, where it is installed. */
export function explorerRemedy({ command }: ExplorerOffer, run: () => Promise<unknown>): Remedy {
  return command === null
    ? { title: "Run neuron-explorer", act: run }
    : { title: "Copy Command", act: async () => vscode.env.clipboard.writeText(command) };
}
