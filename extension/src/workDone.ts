// Asks the server for something that takes a while, and shows how far it is; a person may cancel it.

import { randomUUID } from "node:crypto";

import * as vscode from "vscode";

import { withProgress } from "./messages";
import type { ServerClient } from "./server/client";
import { visible } from "../webview/visibleText";

/**
 * @param title What is done.
 * @param ask Asks for it, with the token that the server tells its progress by.
 * @param notWanted Cancels it, as the button of its progress does.
 * @throws Error A sentence; vscode.CancellationError where it was cancelled.
 */
export async function askWithProgress<T>(
  server: ServerClient,
  title: string,
  ask: (workDoneToken: string, cancelling: vscode.CancellationToken) => Promise<T>,
  notWanted?: vscode.CancellationToken,
): Promise<T> {
  return await withProgress(title, async (report, token) => {
    const workDoneToken = randomUUID();
    const cancelling = new vscode.CancellationTokenSource();
    const cancel = (): void => {
      cancelling.cancel();
    };
    const cancels = [token, notWanted].map((either) => either?.onCancellationRequested(cancel));
    const listening = await server.onWorkDone(workDoneToken, (done) => {
      if (done.kind !== "report") return;
      if (done.percentage !== undefined) report(`${done.percentage} %`, done.percentage);
      else if (done.message !== undefined) report(visible(done.message));
    });
    try {
      return await ask(workDoneToken, cancelling.token);
    } finally {
      for (const disposable of [listening, cancelling, ...cancels]) disposable?.dispose();
    }
  });
}
