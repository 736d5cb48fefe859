// What can be done with a stored profile in the side bar.

import * as vscode from "vscode";

import { confirm, tellingFailure } from "../messages";
import type { ProfileEntry } from "../protocol";
import type { Services } from "../services";
import { profileLabel } from "./profileText";
import { ProfileDrop } from "./profileDrop";
import { type ProfileNode, ProfileTree } from "./profileTree";
import { revealFile } from "./revealFile";

export function registerProfileTree(services: Services): vscode.Disposable {
  const tree = new ProfileTree(services);
  const view = vscode.window.createTreeView("sidelight.profiles", {
    treeDataProvider: tree,
    dragAndDropController: new ProfileDrop(services),
  });
  const selected = (): ProfileNode | undefined => view.selection[0];

  const command = (name: string, act: (profile: ProfileEntry) => Promise<unknown>) =>
    vscode.commands.registerCommand(`sidelight.profiles.${name}`, async (node?: ProfileNode) => {
      // A key binding gives no line: the selected one is meant.
      const meant = node ?? selected();
      if (meant?.kind === "profile") await tellingFailure(() => act(meant.profile));
    });

  return vscode.Disposable.from(
    tree,
    view,
    command("show", ({ directory }) => services.choices.show(directory)),
    command("delete", (profile) => deleteProfile(services, profile)),
    command("rename", (profile) => renameProfile(services, profile)),
    command("reveal", ({ directory }) => revealFile(directory)),
  );
}

async function deleteProfile({ server }: Services, profile: ProfileEntry): Promise<void> {
  const question = `Delete the profile ${profileLabel(profile)}?`;
  const detail = `Its directory is removed for good: ${profile.directory}`;
  if (!(await confirm(question, detail, "Delete"))) return;
  await server.request("sidelight/deleteProfile", { directory: profile.directory });
}

async function renameProfile({ server }: Services, profile: ProfileEntry): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: `Rename the Profile ${profileLabel(profile)}`,
    value: profile.name,
    validateInput: (text) => (isName(text) ? undefined : "A name needs visible characters only."),
  });
  if (name === undefined || name === profile.name) return;
  await server.request("sidelight/renameProfile", { directory: profile.directory, name });
}

/** As the command line has it: something to see, and nothing that moves the cursor. */
export function isName(text: string): boolean {
  return text.trim() !== "" && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
}
