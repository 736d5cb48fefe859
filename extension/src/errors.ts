// Errors, as people are told of them.

import * as vscode from "vscode";

/** The sentence an error carries. */
export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Does something; if it fails, says why. Being cancelled is no failure. */
export async function tellingFailure<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof vscode.CancellationError)) {
      void vscode.window.showErrorMessage(sentence(error));
    }
    return undefined;
  }
}
