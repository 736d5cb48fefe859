// Which Python runs the server: the one a setting names, else one of its own, made when needed.

import { mkdir } from "node:fs/promises";

import * as vscode from "vscode";

import { baseCandidates } from "../python/candidates";
import { findPythons } from "../python/findings";
import { showNote, withProgress } from "../messages";
import { onDidChangeSettings, serverPython, serverWheels } from "../settings";
import { checkServer } from "./checkServer";
import { EnvironmentStore } from "./environmentStore";
import { findEnvironment, makeEnvironment } from "./makeEnvironment";
import { fileFailure } from "./makingFailures";
import { carriedWheel, type Wheel } from "./wheel";

export class ServerEnvironment implements vscode.Disposable {
  /** A directory of the extension's own: where the server stands, too. */
  readonly directory: string;
  readonly #log: vscode.LogOutputChannel;
  readonly #wheelDirectory: string;
  readonly #version: string;
  readonly #settings: vscode.Disposable;
  #python: Promise<string> | undefined;
  /** Ends the making in progress, if there is one. */
  #abort = new AbortController();
  #repaired = false;

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    this.#log = log;
    this.directory = vscode.Uri.joinPath(context.globalStorageUri, "server").fsPath;
    this.#wheelDirectory = context.asAbsolutePath("dist/server");
    this.#version = (context.extension.packageJSON as { readonly version: string }).version;
    this.#settings = onDidChangeSettings(["server.python", "server.wheels"], () => {
      this.#forget();
    });
  }

  /**
   * The interpreter that has the server. Made with visible progress if there is none yet.
   *
   * @throws Error A sentence with the remedy; vscode.CancellationError where the user cancelled.
   */
  python(): Promise<string> {
    if (!vscode.workspace.isTrusted) {
      return Promise.reject(
        new Error("Sidelight runs nothing in a workspace that is not trusted."),
      );
    }
    const python = (this.#python ??= this.#provide(this.#abort.signal));
    python.catch(() => {
      // The next one who asks has another try.
      if (this.#python === python) this.#python = undefined;
    });
    return python;
  }

  /** Whether nothing would have to be made, as far as can be told without running anything. */
  async isThere(): Promise<boolean> {
    if (serverPython() !== undefined) return true;
    try {
      const wheel = await carriedWheel(this.#wheelDirectory);
      return (await new EnvironmentStore(this.directory).find(wheel.hash)) !== undefined;
    } catch {
      return false;
    }
  }

  /**
   * Has the server's own environment made anew, once a session: the server does not start in it.
   *
   * @returns Whether another start is worth a try.
   */
  async repair(): Promise<boolean> {
    if (serverPython() !== undefined || this.#repaired) {
      // It is looked at again when a person has another try.
      this.#forget();
      return false;
    }
    this.#repaired = true;
    const wheel = await carriedWheel(this.#wheelDirectory);
    await new EnvironmentStore(this.directory).withdraw(wheel.hash);
    this.#python = this.#make(wheel, true, this.#abort.signal);
    return true;
  }

  dispose(): void {
    this.#settings.dispose();
    this.#forget();
  }

  #forget(): void {
    this.#python = undefined;
    this.#abort.abort(new vscode.CancellationError());
    this.#abort = new AbortController();
  }

  async #provide(forgotten: AbortSignal): Promise<string> {
    try {
      await mkdir(this.directory, { recursive: true });
    } catch (error) {
      throw fileFailure(error, this.directory) ?? error;
    }
    const ready = serverPython();
    if (ready !== undefined) {
      const problem = await checkServer(ready, this.#version, this.directory);
      if (problem === undefined) return ready;
      throw new Error(
        `${ready}, named in sidelight.server.python, does not serve: ${problem}. Install ` +
          `sidelight ${this.#version} there, or empty the setting.`,
      );
    }
    const wheel = await carriedWheel(this.#wheelDirectory);
    const found = await findEnvironment(this.directory, wheel, this.#version);
    return found.state === "whole"
      ? found.python
      : await this.#make(wheel, found.state === "broken", forgotten);
  }

  async #make(wheel: Wheel, again: boolean, forgotten: AbortSignal): Promise<string> {
    const candidates = baseCandidates(await findPythons(undefined));
    const recipe = {
      root: this.directory,
      wheel,
      version: this.#version,
      wheels: serverWheels(),
      candidates: candidates.map(({ program }) => program),
    };
    const python = await withProgress(
      "Sidelight: preparing its server, once",
      async (report, token) => {
        const cancelled = new AbortController();
        token.onCancellationRequested(() => {
          cancelled.abort(new vscode.CancellationError());
        });
        const signal = AbortSignal.any([forgotten, cancelled.signal]);
        const log = (line: string): void => {
          this.#log.info(line);
        };
        return await makeEnvironment(recipe, { signal, report, log });
      },
    );
    if (again) {
      void showNote("The environment of Sidelight's server was broken and has been made anew.");
    }
    return python;
  }
}
