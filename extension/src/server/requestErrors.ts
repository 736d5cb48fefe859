// What becomes of an error between the client and the server: a plain sentence, or a cancellation.

import * as vscode from "vscode";

import { inEditorsWords } from "../editorsWords";
import { sentence } from "../errors";

/** The protocol's numbers for requests that were cancelled, by either side. */
const CANCELLED = [-32800, -32802];
/** Those for requests whose connection ended under them. */
const DISCONNECTED = [-32097, -32096];

/** The error to give to whoever asked. */
export function requestError(error: unknown): Error {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : 0;
  if (CANCELLED.includes(code as number)) return new vscode.CancellationError();
  if (DISCONNECTED.includes(code as number)) {
    return new Error(
      "Sidelight's server ended before it could answer. It is started again: try once more.",
    );
  }
  return new Error(inEditorsWords(sentence(error)));
}
