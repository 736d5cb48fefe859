// What a profile comes to, beside the code.

import type * as vscode from "vscode";

import type { ShownProfiles } from "../annotations/shownProfiles";
import type { Services } from "../services";
import { AnalysisPage } from "./analysisPage";
import { registerPages } from "./profilePages";

export function registerAnalysis(services: Services, shown: ShownProfiles): vscode.Disposable {
  return registerPages(services, shown, {
    view: "sidelight.analysis",
    tab: "sidelight.analysisTab",
    title: "Analysis",
    showCommand: "sidelight.showAnalysis",
    openCommand: "sidelight.openAnalysisInEditor",
    purpose: "where its time goes, and how close to the roofline it is",
    make: (webview, sourceColumn, message) =>
      new AnalysisPage(services, webview, sourceColumn, message),
  });
}
