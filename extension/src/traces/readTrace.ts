// Reading a trace into a store, with progress and cancel; one that was read before is not again.

import { randomUUID } from "node:crypto";
import * as path from "node:path";

import * as vscode from "vscode";

import { withProgress } from "../messages";
import type { PricingParams } from "../protocol";
import type { Services } from "../services";
import { predictionSettings } from "../settings";
import { TraceMemory } from "./traceMemory";

/**
 * Shows a trace's profile; the trace is read where it has none yet.
 *
 * @param notWanted Cancels the reading, as the button of its progress does.
 * @returns The profile's directory.
 * @throws Error A sentence; vscode.CancellationError where it was cancelled.
 */
export async function showTrace(
  services: Services,
  trace: vscode.Uri,
  notWanted?: vscode.CancellationToken,
): Promise<string> {
  if (trace.scheme !== "file") {
    throw new Error(`${trace.path} is not on this machine's disk. Only what is there can be read.`);
  }
  const pricing = pricingFor(trace);
  const memory = new TraceMemory(services.context.workspaceState);
  const known = await memory.profileOf(trace.fsPath, pricing);
  if (known !== undefined) {
    await services.choices.show(known);
    return known;
  }
  const directory = await readTrace(services, trace, pricing, notWanted);
  await memory.remember(trace.fsPath, pricing, directory);
  return directory;
}

/** What the settings want its operators priced for; null where they want nothing predicted. */
function pricingFor(trace: vscode.Uri): PricingParams | null {
  const { device, lnc, autoCast } = predictionSettings(trace);
  return device === undefined ? null : { chip: device, lnc: lnc ?? null, autoCast };
}

/** Reads a trace, shows its progress, and shows the profile. */
async function readTrace(
  services: Services,
  trace: vscode.Uri,
  pricing: PricingParams | null,
  notWanted: vscode.CancellationToken | undefined,
): Promise<string> {
  const folder =
    vscode.workspace.getWorkspaceFolder(trace) ?? vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) {
    throw new Error("Profiles are kept in the open folder, and none is open. Open a folder first.");
  }
  return await withProgress(`Reading ${path.basename(trace.fsPath)}`, async (report, token) => {
    const workDoneToken = randomUUID();
    const cancelling = new vscode.CancellationTokenSource();
    const cancel = (): void => {
      cancelling.cancel();
    };
    const cancels = [token, notWanted].map((either) => either?.onCancellationRequested(cancel));
    const listening = await services.server.onWorkDone(workDoneToken, (done) => {
      if (done.kind === "report" && done.percentage !== undefined) {
        report(`${done.percentage} %`, done.percentage);
      }
    });
    try {
      const parameters = {
        path: trace.fsPath,
        folderUri: folder.uri.toString(),
        pricing,
        workDoneToken,
      };
      return (await services.server.request("sidelight/openTrace", parameters, cancelling.token))
        .directory;
    } finally {
      for (const disposable of [listening, cancelling, ...cancels]) disposable?.dispose();
    }
  });
}
