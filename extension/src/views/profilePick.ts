// The list to choose a profile from: the ranks of the run that is shown, and all other runs.

import * as vscode from "vscode";

import type { ProfileEntry, StoreListing } from "../protocol";
import type { Services } from "../services";
import {
  profileDescription,
  profileLabel,
  rankLabel,
  runDescription,
  runLabel,
  withoutIcons,
} from "./profileText";
import { type Run, runsOf, shownOf } from "./storedRuns";

interface ProfileItem extends vscode.QuickPickItem {
  /** The profile; undefined opens another. */
  readonly directory?: string;
}

/** What a person chose: a stored profile's directory, or to open something else. */
export type Picked = { readonly directory: string } | "open another";

/** @returns Undefined where nothing was chosen. */
export async function pickProfile({ server }: Services): Promise<Picked | undefined> {
  const items = server
    .request("sidelight/listProfiles", {})
    .then(({ stores }) => profileItems(stores, Date.now()));
  const picked = await vscode.window.showQuickPick(items, {
    title: "Select the Profile to Show",
    placeHolder: "Newest first",
    matchOnDescription: true,
  });
  if (picked === undefined) return undefined;
  return picked.directory === undefined ? "open another" : { directory: picked.directory };
}

/**
 * Has a person choose another profile to compare one with.
 *
 * @returns Its directory; undefined where nothing was chosen.
 */
export async function pickBaseline(
  { server }: Services,
  directory: string,
): Promise<string | undefined> {
  const { stores } = await server.request("sidelight/listProfiles", {});
  const items = baselineItems(stores, directory, Date.now());
  if (items.length === 0) {
    throw new Error("There is no other profile to compare with. Profile once more, or open one.");
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: "Select the Baseline to Compare With",
    placeHolder: "What was before, newest first",
    matchOnDescription: true,
  });
  return picked?.directory;
}

/** All profiles but one, the newest first; of other folders with these. */
function baselineItems(
  stores: readonly StoreListing[],
  directory: string,
  nowMs: number,
): readonly ProfileItem[] {
  const others = stores.flatMap(({ folderName, profiles }) =>
    profiles
      .filter((profile) => profile.directory !== directory)
      .map((profile) => ({ profile, folderName })),
  );
  const made = ({ profile }: { readonly profile: ProfileEntry }): number =>
    Date.parse(profile.created);
  others.sort((one, other) => made(other) - made(one));
  return others.map(({ profile, folderName }) => ({
    ...item(profileLabel(profile), profileDescription(profile, nowMs), profile),
    ...(stores.length > 1 ? { detail: folderName } : {}),
  }));
}

function profileItems(stores: readonly StoreListing[], nowMs: number): readonly ProfileItem[] {
  const runs = stores.flatMap((store) => runsOf(store).map((run) => ({ store, run })));
  // Each store is sorted; together they are not.
  runs.sort((one, other) => createdMs(other.run) - createdMs(one.run));
  const isOfRanks = ({ run }: { readonly run: Run }): boolean =>
    run.length > 1 && shownOf(run).shown;
  const ranks = runs
    .filter(isOfRanks)
    .flatMap(({ run }) => [
      separator(`Ranks of ${runLabel(run)}`),
      ...run.map((profile) =>
        item(rankLabel(profile), profileDescription(profile, nowMs), profile),
      ),
    ]);
  const others = runs
    .filter((each) => !isOfRanks(each))
    .map(({ store, run }) => {
      const [first, second] = run;
      const made =
        second === undefined
          ? item(profileLabel(first), profileDescription(first, nowMs), first)
          : item(runLabel(run), runDescription(run, nowMs), first);
      return stores.length > 1 ? { ...made, detail: store.folderName } : made;
    });
  const openAnother: ProfileItem = {
    label: "Open a Profile or Trace…",
    iconPath: new vscode.ThemeIcon("folder-opened"),
    alwaysShow: true,
  };
  const rest = ranks.length > 0 ? [separator("Other profiles")] : [];
  return [...ranks, ...rest, ...others, openAnother];
}

function item(label: string, description: string, profile: ProfileEntry): ProfileItem {
  return {
    label: withoutIcons(label),
    description,
    iconPath: new vscode.ThemeIcon(profile.shown ? "circle-filled" : "circle-outline"),
    directory: profile.directory,
  };
}

function separator(label: string): ProfileItem {
  return { label: withoutIcons(label), kind: vscode.QuickPickItemKind.Separator };
}

function createdMs(run: Run): number {
  return Math.max(...run.map(({ created }) => Date.parse(created)));
}
