// The command that everything begins with: profile the current file.

import { stat } from "node:fs/promises";
import * as path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import * as vscode from "vscode";

import { showError, showNote, showWarning, tellingFailure } from "../messages";
import type { Services } from "../services";
import {
  type ProfileSettings,
  type ProfileTarget,
  predictionSettings,
  profileSettings,
} from "../settings";
import { showTrace } from "../traces/readTrace";
import { hasChip } from "./chip";
import { LaunchChoices } from "./launchChoices";
import { pickArguments } from "./launchPick";
import { presentRun } from "./runPresentation";
import { ScriptRun } from "./scriptRun";
import { joinWords } from "./shellWords";
import { pickTargetWithoutChip } from "./targetPick";

export function registerProfiling(services: Services): vscode.Disposable {
  const profiling = new Profiling(services);
  const { registerCommand } = vscode.commands;
  return vscode.Disposable.from(
    profiling,
    registerCommand("sidelight.profileOnTrainium", (file?: vscode.Uri) =>
      profiling.start(file, "asBefore"),
    ),
    registerCommand("sidelight.profileWithArguments", (file?: vscode.Uri) =>
      profiling.start(file, "ask"),
    ),
    registerCommand("sidelight.stopScript", (run: ScriptRun) => run.stop()),
  );
}

const MOST_SAVES = 20;
const BETWEEN_SAVES_MS = 100;

/** `asBefore` asks only where the script was started with arguments of its own before. */
type Arguments = "asBefore" | "ask";

class Profiling implements vscode.Disposable {
  readonly #services: Services;
  readonly #choices: LaunchChoices;
  readonly #starting = new Set<string>();
  readonly #running = new Map<string, ScriptRun>();
  /** The last run of each script, whose terminal stays until the next. */
  readonly #last = new Map<string, ScriptRun>();

  constructor(services: Services) {
    this.#services = services;
    this.#choices = new LaunchChoices(services.context.workspaceState);
  }

  async start(file: vscode.Uri | undefined, ask: Arguments): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      void showWarning(
        "Profiling runs the script, and this workspace is not trusted yet. Trust it first.",
      );
      return;
    }
    const script = await savedScript(file);
    if (script === undefined || this.#starting.has(script.fsPath)) return;
    this.#starting.add(script.fsPath);
    try {
      const folder = await folderFor(script);
      if (folder !== undefined && (await this.#isFree(script.fsPath))) {
        await tellingFailure(() => this.#startIn(folder, script, ask));
      }
    } finally {
      this.#starting.delete(script.fsPath);
    }
  }

  dispose(): void {
    for (const run of this.#last.values()) run.dispose();
  }

  /** Whether the script does not run, or was stopped to make way. */
  async #isFree(script: string): Promise<boolean> {
    const run = this.#running.get(script);
    if (run === undefined) return true;
    const stopIt = "Stop It and Start Again";
    const message = `${run.script} is still running from before.`;
    if ((await showWarning(message, stopIt)) !== stopIt) return false;
    await run.stop();
    return true;
  }

  async #startIn(folder: vscode.WorkspaceFolder, script: vscode.Uri, ask: Arguments) {
    const { interpreters, environment, log } = this.#services;
    const settings = profileSettings(script);
    const scriptArguments = await this.#argumentsOf(script.fsPath, settings.arguments, ask);
    if (scriptArguments === undefined) return;
    const target = await targetFor(script, settings);
    if (target === undefined) return;
    const isInside = vscode.workspace.getWorkspaceFolder(script) !== undefined;
    const usualDirectory = isInside ? folder.uri.fsPath : path.dirname(script.fsPath);
    const workingDirectory = settings.workingDirectory ?? usualDirectory;
    await checkDirectory(workingDirectory);
    const interpreter = await interpreters.choose(isInside ? script : folder.uri);
    if (interpreter === undefined) return;
    const python = await environment.python();
    const request = {
      python,
      interpreter,
      script: script.fsPath,
      arguments: scriptArguments,
      workingDirectory,
      store: path.join(folder.uri.fsPath, ".sidelight"),
      target,
      prediction: predictionSettings(script),
      warmupSteps: settings.warmupSteps,
      steps: settings.steps,
    };
    log.info(`profiling ${request.script} with ${interpreter}, by ${python}`);
    this.#last.get(script.fsPath)?.dispose();
    const run = new ScriptRun(request, () => this.#showNewest());
    if (!isInside) {
      run.terminal.note(
        `${run.script} is in no open folder: its profile is kept in ${folder.name}.`,
      );
    }
    run.terminal.note(joinWords([interpreter, request.script, ...scriptArguments]));
    run.terminal.show();
    this.#last.set(script.fsPath, run);
    this.#running.set(script.fsPath, run);
    void run.ended.then(() => this.#running.delete(script.fsPath));
    void presentRun(run, (directory) => showTrace(this.#services, vscode.Uri.file(directory)));
  }

  async #argumentsOf(
    script: string,
    fromSettings: readonly string[],
    ask: Arguments,
  ): Promise<readonly string[] | undefined> {
    if (ask === "asBefore" && this.#choices.of(script).length === 0) return fromSettings;
    const picked = await pickArguments(script, this.#choices, fromSettings);
    if (picked !== undefined && picked !== fromSettings) await this.#choices.use(script, picked);
    return picked;
  }

  /** The server shows the newest by itself; asked for the list, it looks for it at once. */
  async #showNewest(): Promise<void> {
    await tellingFailure(() => this.#services.server.request("sidelight/listProfiles", {}));
  }
}

/** What to profile on; undefined where that was asked and not answered. */
async function targetFor(
  script: vscode.Uri,
  { target, targetWithoutChip }: ProfileSettings,
): Promise<ProfileTarget | undefined> {
  if (target !== "auto" || (await hasChip())) return target;
  return targetWithoutChip ?? (await pickTargetWithoutChip(script));
}

/** The file to profile, as it is on disk now; undefined, and said why, where there is none. */
async function savedScript(file: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
  const script = file ?? fileInFront();
  const document = vscode.workspace.textDocuments.find(
    ({ uri }) => uri.toString() === script?.toString(),
  );
  const isPython =
    document === undefined ? script?.path.endsWith(".py") : document.languageId === "python";
  if (script === undefined || isPython !== true) {
    void showNote("Open the Python file to profile, and try again.");
    return undefined;
  }
  const saved = document === undefined ? script : await saveDocument(document);
  if (saved !== undefined && saved.scheme !== "file") {
    void showError(`${saved.path} is not on this machine's disk, so it cannot run.`);
    return undefined;
  }
  return saved;
}

/** The file a person sees, also where no editor is active: after a dialog, or beside a page. */
function fileInFront(): vscode.Uri | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  if (activeTextEditor !== undefined) return activeTextEditor.document.uri;
  const inSight = visibleTextEditors.filter(({ document }) => document.languageId === "python");
  return inSight.length === 1 ? inSight[0]?.document.uri : undefined;
}

/** Where the document is on disk; undefined where it could not be saved. */
async function saveDocument(document: vscode.TextDocument): Promise<vscode.Uri | undefined> {
  if (document.isUntitled) return await vscode.workspace.save(document.uri);
  // While auto-save is at it the answer is that of a failure; a moment later the text is saved.
  for (let tried = 0; tried < MOST_SAVES; tried += 1) {
    if (!document.isDirty || (await document.save())) return document.uri;
    await delay(BETWEEN_SAVES_MS);
  }
  void showError(`${path.basename(document.fileName)} could not be saved, so it was not run.`);
  return undefined;
}

/** The folder whose store takes the profile in: the script's own, else the first one. */
async function folderFor(script: vscode.Uri): Promise<vscode.WorkspaceFolder | undefined> {
  const folder =
    vscode.workspace.getWorkspaceFolder(script) ?? vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) {
    const openFolder = "Open Its Folder";
    const message = "Profiles are kept in the open folder, and none is open.";
    if ((await showNote(message, openFolder)) === openFolder) {
      await vscode.commands.executeCommand("vscode.openFolder", vscode.Uri.joinPath(script, ".."));
    }
  }
  return folder;
}

async function checkDirectory(directory: string): Promise<void> {
  const isDirectory = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isDirectory) {
    throw new Error(
      `There is no directory ${directory} to run in. Check the setting sidelight.profile.workingDirectory.`,
    );
  }
}
