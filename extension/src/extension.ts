// Where the editor meets Sidelight. Nothing slow happens here: the server starts afterwards.

import type * as vscode from "vscode";

import { registerHeat } from "./annotations/heat";
import { ShownProfiles } from "./annotations/shownProfiles";
import { registerStatusBar } from "./annotations/statusBar";
import { registerProfiling } from "./profiling/profileOnTrainium";
import { createServices, type Services } from "./services";
import { startWhenWanted } from "./server/starting";
import { registerOpening } from "./traces/openProfile";
import { registerTraceEditor } from "./traces/traceEditor";
import { registerAnalysis } from "./views/analysisView";
import { registerExport } from "./views/exportProfile";
import { registerProfileTree } from "./views/profileActions";
import { registerTimeline } from "./views/timelineView";
import { registerSample } from "./walkthrough/sample";

let services: Services | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const startedMs = performance.now();
  services = createServices(context);
  const shown = new ShownProfiles(services);
  context.subscriptions.push(
    shown,
    registerProfiling(services),
    registerOpening(services),
    registerHeat(services),
    registerStatusBar(shown),
    registerProfileTree(services),
    registerExport(services),
    registerTimeline(services, shown),
    registerAnalysis(services, shown),
    registerTraceEditor(services),
    registerSample(services),
    startWhenWanted(services.server, services.environment),
  );
  services.log.info(`activated in ${(performance.now() - startedMs).toFixed(1)} ms`);
}

export async function deactivate(): Promise<void> {
  await services?.server.stop();
}
