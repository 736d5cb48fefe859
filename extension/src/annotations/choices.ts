// What a person chose to see. The server holds to it; one that was started anew is told again.

import * as path from "node:path";

import * as vscode from "vscode";

import { sentence } from "../errors";
import type { ServerClient } from "../server/client";

interface Choice {
  /** The profile; undefined where nothing was to be shown any more. */
  readonly directory?: string;
  /** When, in the form that profiles' ids begin with, so that the two compare as text. */
  readonly madeAt: string;
}

export class Choices implements vscode.Disposable {
  readonly #server: ServerClient;
  readonly #log: vscode.LogOutputChannel;
  readonly #listening: vscode.Disposable;
  /** By store; each later than the last clearing. */
  readonly #shown = new Map<string, Choice>();
  #cleared: Choice | undefined;

  constructor(server: ServerClient, log: vscode.LogOutputChannel) {
    this.#server = server;
    this.#log = log;
    this.#listening = server.onDidStart(() => void this.#repeat());
  }

  /** Shows a profile, until another is written to its store. */
  async show(directory: string): Promise<void> {
    await this.#server.request("sidelight/showProfile", { directory });
    this.#shown.set(path.dirname(directory), { directory, madeAt: idTime(new Date()) });
  }

  /** Shows nothing, until a profile is written or chosen. */
  async clear(): Promise<void> {
    await this.#server.request("sidelight/clearAnnotations", {});
    this.#shown.clear();
    this.#cleared = { madeAt: idTime(new Date()) };
  }

  dispose(): void {
    this.#listening.dispose();
  }

  async #repeat(): Promise<void> {
    const choices = [this.#cleared, ...this.#shown.values()].filter(
      (choice) => choice !== undefined,
    );
    if (choices.length === 0) return;
    try {
      const { stores } = await this.#server.request("sidelight/listProfiles", {});
      const profiles = stores.flatMap((store) => store.profiles.map(({ directory }) => directory));
      for (const { directory } of choices.filter((choice) => stillHolds(choice, profiles))) {
        if (directory === undefined) await this.#server.request("sidelight/clearAnnotations", {});
        else await this.#server.request("sidelight/showProfile", { directory });
      }
    } catch (error) {
      this.#log.warn(`what was shown before cannot be shown again: ${sentence(error)}`);
    }
  }
}

/** Whether no profile was written since; of a chosen one: to its own store, and it is still there. */
export function stillHolds(choice: Choice, profiles: readonly string[]): boolean {
  const { directory, madeAt } = choice;
  const isNewer = (profile: string): boolean => path.basename(profile) > madeAt;
  if (directory === undefined) return !profiles.some(isNewer);
  const store = path.dirname(directory);
  return (
    profiles.includes(directory) &&
    !profiles.some((profile) => path.dirname(profile) === store && isNewer(profile))
  );
}

/** A moment as ids of profiles have it: `20261130-060102-345`, in UTC. */
export function idTime(moment: Date): string {
  const [date = "", time = ""] = moment.toISOString().slice(0, -1).split("T");
  return `${date.replaceAll("-", "")}-${time.replaceAll(":", "").replace(".", "-")}`;
}
