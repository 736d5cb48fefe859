// The stored profiles in the side bar: by folder where there are several, newest first.

import * as vscode from "vscode";

import type { ProfileEntry, StoreListing } from "../protocol";
import type { Services } from "../services";
import {
  profileAccessibleLabel,
  profileDescription,
  profileLabel,
  profileTooltip,
  rankLabel,
  runDescription,
  runLabel,
} from "./profileText";
import { type Run, runsOf, shownOf } from "./storedRuns";

/** A line of the tree. */
export type ProfileNode =
  | { readonly kind: "folder"; readonly store: StoreListing }
  | { readonly kind: "run"; readonly run: Run }
  | { readonly kind: "profile"; readonly profile: ProfileEntry; readonly isInRun: boolean }
  | { readonly kind: "problem"; readonly sentence: string };

/** Ages are told in words, and grow. */
const AGE_REFRESH_MS = 60_000;

export class ProfileTree implements vscode.TreeDataProvider<ProfileNode>, vscode.Disposable {
  readonly #services: Services;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #subscriptions: vscode.Disposable;

  constructor(services: Services) {
    this.#services = services;
    const refresh = (): void => {
      this.#changed.fire();
    };
    const timer = setInterval(refresh, AGE_REFRESH_MS);
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      services.server.onNotification("sidelight/profilesChanged", refresh),
      services.server.onNotification("sidelight/shownChanged", refresh),
      services.server.onDidStart(refresh),
      new vscode.Disposable(() => {
        clearInterval(timer);
      }),
    );
  }

  async getChildren(parent?: ProfileNode): Promise<ProfileNode[]> {
    if (parent?.kind === "folder") return contents(parent.store);
    if (parent?.kind === "run") return parent.run.map((profile) => profileNode(profile, true));
    if (parent !== undefined) return [];
    const stores = (await this.#stores()).filter((store) => contents(store).length > 0);
    const [only] = stores;
    return stores.length === 1 && only !== undefined
      ? contents(only)
      : stores.map((store) => ({ kind: "folder", store }));
  }

  getTreeItem(node: ProfileNode): vscode.TreeItem {
    switch (node.kind) {
      case "folder":
        return folderItem(node.store);
      case "run":
        return runItem(node.run);
      case "profile":
        return profileItem(node);
      case "problem":
        return problemItem(node.sentence);
    }
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #stores(): Promise<readonly StoreListing[]> {
    try {
      const { server } = this.#services;
      return (await server.requestIfStarted("sidelight/listProfiles", {})).stores;
    } catch {
      // Before the first profile there is no server; the empty tree says what to do.
      return [];
    }
  }
}

function contents(store: StoreListing): ProfileNode[] {
  return [
    ...runsOf(store).map((run): ProfileNode =>
      run.length > 1 ? { kind: "run", run } : profileNode(run[0], false),
    ),
    ...store.problems.map((sentence) => ({ kind: "problem", sentence }) as const),
  ];
}

function profileNode(profile: ProfileEntry, isInRun: boolean): ProfileNode {
  return { kind: "profile", profile, isInRun };
}

function folderItem(store: StoreListing): vscode.TreeItem {
  const item = new vscode.TreeItem(store.folderName, vscode.TreeItemCollapsibleState.Expanded);
  item.id = store.folderUri;
  item.iconPath = vscode.ThemeIcon.Folder;
  item.tooltip = store.directory;
  return item;
}

/** What stands for all ranks of a run; each is shown by itself. */
function runItem(run: Run): vscode.TreeItem {
  const isShown = shownOf(run).shown;
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(runLabel(run), isShown ? Expanded : Collapsed);
  item.id = `run of ${run[0].directory}`;
  item.description = runDescription(run, Date.now());
  item.iconPath = shownIcon(isShown);
  item.tooltip = `${runLabel(run)}: one profile for each of ${String(run.length)} ranks`;
  return item;
}

function shownIcon(isShown: boolean): vscode.ThemeIcon {
  return isShown
    ? new vscode.ThemeIcon("circle-filled", new vscode.ThemeColor("sidelight.heatEdge"))
    : new vscode.ThemeIcon("circle-outline");
}

function profileItem(node: ProfileNode & { kind: "profile" }): vscode.TreeItem {
  const { profile, isInRun } = node;
  const nowMs = Date.now();
  const item = new vscode.TreeItem(isInRun ? rankLabel(profile) : profileLabel(profile));
  item.id = profile.directory;
  item.description = profileDescription(profile, nowMs);
  item.tooltip = new vscode.MarkdownString(profileTooltip(profile));
  item.iconPath = shownIcon(profile.shown);
  item.contextValue = "profile";
  item.accessibilityInformation = { label: profileAccessibleLabel(profile, nowMs) };
  item.command = { title: "Show", command: "sidelight.profiles.show", arguments: [node] };
  return item;
}

function problemItem(sentence: string): vscode.TreeItem {
  const item = new vscode.TreeItem(sentence);
  item.iconPath = new vscode.ThemeIcon("warning");
  item.tooltip = sentence;
  return item;
}
