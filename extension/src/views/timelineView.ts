// The timeline beside the code.

import type * as vscode from "vscode";

import type { ShownProfiles } from "../annotations/shownProfiles";
import type { Services } from "../services";
import { registerPages } from "./profilePages";
import { TimelinePage } from "./timelinePage";

export function registerTimeline(services: Services, shown: ShownProfiles): vscode.Disposable {
  return registerPages(services, shown, {
    view: "sidelight.timeline",
    tab: "sidelight.timelineTab",
    title: "Timeline",
    showCommand: "sidelight.showTimeline",
    openCommand: "sidelight.openTimelineInEditor",
    purpose: "when the device was busy",
    make: (webview, sourceColumn, message) =>
      new TimelinePage(services, webview, sourceColumn, message),
  });
}
