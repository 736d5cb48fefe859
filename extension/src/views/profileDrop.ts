// Files and folders that are dropped on the side bar's tree become profiles.

import * as vscode from "vscode";

import { tellingFailure } from "../messages";
import type { Services } from "../services";
import { openProfile } from "../traces/openProfile";
import type { ProfileNode } from "./profileTree";

const URI_LIST = "text/uri-list";

export class ProfileDrop implements vscode.TreeDragAndDropController<ProfileNode> {
  readonly dropMimeTypes = [URI_LIST];
  readonly dragMimeTypes = [];
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  async handleDrop(
    _target: ProfileNode | undefined,
    dropped: vscode.DataTransfer,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const list = await dropped.get(URI_LIST)?.asString();
    for (const address of addressesIn(list ?? "")) {
      if (token.isCancellationRequested) return;
      // One that cannot be read does not keep the others from it.
      await tellingFailure(() => openProfile(this.#services, vscode.Uri.parse(address, true)));
    }
  }
}

/** The addresses of a list as RFC 2483 has it: one a line, `#` begins a comment. */
export function addressesIn(list: string): readonly string[] {
  return list
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}
