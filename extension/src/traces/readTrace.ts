// Shows what a trace, or a folder of recordings, becomes; one that was read before is not read again.

import * as path from "node:path";

import * as vscode from "vscode";

import { offer, RemediableError, type Remedy, showNote } from "../messages";
import type { ExplorerOffer, OpenedTrace, PricingParams } from "../protocol";
import type { Services } from "../services";
import { predictionSettings } from "../settings";
import { explorerRemedy, offerText } from "./explorerOffer";
import { openTrace } from "./openTrace";
import { TraceMemory } from "./traceMemory";

/** Who wants to see a trace. */
export interface Viewer {
  /** Cancels the reading, as the button of its progress does. */
  readonly notWanted?: vscode.CancellationToken;
  /** Told the directory of a richer profile, which has taken the place of the one that was shown. */
  readonly onReplaced?: (directory: string) => void;
}

/**
 * Shows a trace's profile; the trace is read where it has none yet, and what of it only Neuron
 * Explorer can read is offered then.
 *
 * @returns The profile's directory.
 * @throws Error A sentence; vscode.CancellationError where it was cancelled.
 */
export async function showTrace(
  services: Services,
  trace: vscode.Uri,
  viewer: Viewer = {},
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

  const keep = async ({ profile }: OpenedTrace): Promise<string | undefined> => {
    if (profile === null) return undefined;
    await memory.remember(trace.fsPath, pricing, profile.directory);
    return profile.directory;
  };
  const opened = await openTrace(services, { path: trace.fsPath, pricing }, viewer.notWanted);
  const remedyOf = (explorer: ExplorerOffer): Remedy =>
    explorerRemedy(explorer, async () => {
      const replaced = opened.directories;
      const again = { path: explorer.path, pricing, runExplorer: true, replaced };
      const richer = await keep(await openTrace(services, again));
      if (richer === undefined) return;
      viewer.onReplaced?.(richer);
      void showNote(`${path.basename(trace.fsPath)} is shown with neuron-explorer's tables now.`);
    });
  const directory = await keep(opened);
  const { explorer } = opened;
  if (directory === undefined) {
    throw explorer === null
      ? new Error(`${trace.fsPath} holds nothing that can be shown.`)
      : new RemediableError(offerText(explorer), remedyOf(explorer));
  }
  if (explorer !== null) void offer(showNote, offerText(explorer), remedyOf(explorer));
  return directory;
}

/** What the settings want its operators priced for; null where they want nothing predicted. */
function pricingFor(trace: vscode.Uri): PricingParams | null {
  const { device, lnc, autoCast } = predictionSettings(trace);
  return device === undefined ? null : { chip: device, lnc: lnc ?? null, autoCast };
}
