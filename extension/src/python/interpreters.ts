// Which Python runs the user's script: the one they chose, if it works, else the next that does.

import * as path from "node:path";

import * as vscode from "vscode";

import { showError, showWarning, tellingFailure } from "../messages";
import { setScriptInterpreter } from "../settings";
import { type Candidate, scriptCandidates } from "./candidates";
import { findPythons } from "./findings";
import { probe, starts } from "./probe";
import { describeChoice, suitability } from "./suitability";

const CHOOSE = "Choose Interpreter…";
const CHOOSE_ANOTHER = "Choose Another…";

/** A Python that does not serve, and why. */
interface Unsuited {
  readonly candidate: Candidate;
  readonly problem: string;
}

export class Interpreters {
  readonly #log: vscode.LogOutputChannel;
  readonly #named = new Set<string>();

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  /**
   * The interpreter for a script. One that somebody chose and that does not work is named, once.
   *
   * @returns undefined where none works and none was chosen when asked, or nothing may be run: the
   *   user has been told.
   */
  async choose(resource: vscode.Uri): Promise<string | undefined> {
    if (!vscode.workspace.isTrusted) return undefined;
    const tried: Unsuited[] = [];
    for (const candidate of scriptCandidates(await findPythons(resource))) {
      const python = await probe(candidate.program, { workingDirectory: folderOf(resource) });
      const problem = suitability(python);
      if (problem === undefined) {
        this.#log.info(`${resource.fsPath} runs with ${python.path}`);
        this.#nameBroken(tried, python.path, resource);
        return python.path;
      }
      this.#log.info(`${candidate.program} does not serve: ${problem}`);
      tried.push({ candidate, problem });
    }
    const broken = this.#unnamed(tried);
    const which = broken === undefined ? "" : ` ${described(broken)}.`;
    const message = `No Python with torch was found to run the script with.${which}`;
    const answer = await showError(message, CHOOSE);
    return answer === CHOOSE ? await this.#letChoose(resource) : undefined;
  }

  /** Names what somebody chose and what is used in its place. */
  #nameBroken(tried: readonly Unsuited[], used: string, resource: vscode.Uri): void {
    const broken = this.#unnamed(tried);
    if (broken === undefined) return;
    const message = `${described(broken)}. The script runs with ${used}.`;
    void showWarning(message, CHOOSE_ANOTHER).then(async (answer) => {
      if (answer === CHOOSE_ANOTHER) await tellingFailure(() => this.#letChoose(resource));
    });
  }

  /** The first that somebody chose, unless it was named before in this session. */
  #unnamed(tried: readonly Unsuited[]): Unsuited | undefined {
    const broken = tried.find(({ candidate }) => candidate.source !== "PATH");
    if (broken === undefined || this.#named.has(broken.candidate.program)) return undefined;
    this.#named.add(broken.candidate.program);
    return broken;
  }

  /** Lets a person choose; the choice goes into the setting. */
  async #letChoose(resource: vscode.Uri): Promise<string | undefined> {
    const browse: vscode.QuickPickItem = { label: "$(folder-opened) Browse…", alwaysShow: true };
    const choices = async (): Promise<vscode.QuickPickItem[]> => [
      ...(await pythonChoices(resource)),
      browse,
    ];
    const picked = await vscode.window.showQuickPick(choices(), {
      title: "Sidelight: the Python that runs the script",
      placeHolder: "It needs torch",
    });
    if (picked === undefined) return undefined;
    const python = picked === browse ? await browseForPython(resource) : picked.detail;
    if (python === undefined) return undefined;
    const problem = suitability(await probe(python, { workingDirectory: folderOf(resource) }));
    if (problem !== undefined) {
      const answer = await showError(
        `${python} cannot run the script: ${problem}.`,
        CHOOSE_ANOTHER,
      );
      return answer === CHOOSE_ANOTHER ? await this.#letChoose(resource) : undefined;
    }
    await setScriptInterpreter(resource, python);
    return python;
  }
}

function folderOf(resource: vscode.Uri): string | undefined {
  return vscode.workspace.getWorkspaceFolder(resource)?.uri.fsPath;
}

function described({ candidate, problem }: Unsuited): string {
  return `${candidate.program} (${sourceText(candidate)}) cannot run it: ${problem}`;
}

function sourceText(candidate: Candidate): string {
  switch (candidate.source) {
    case "setting":
      return "named in the setting sidelight.python.interpreter";
    case "Python extension":
      return "chosen in the Python extension";
    case "workspace":
      return "the folder's own environment";
    case "PATH":
      return "from PATH";
  }
}

async function pythonChoices(resource: vscode.Uri): Promise<vscode.QuickPickItem[]> {
  const candidates = scriptCandidates(await findPythons(resource));
  const pythons = await Promise.all(
    candidates.map(({ program }) => probe(program, { workingDirectory: folderOf(resource) })),
  );
  const byPath = new Map(pythons.filter(starts).map((python) => [python.path, python]));
  return [...byPath.values()].map((python) => ({
    label: path.basename(python.path),
    description: describeChoice(python),
    detail: python.path,
  }));
}

async function browseForPython(resource: vscode.Uri): Promise<string | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(resource)?.uri;
  const chosen = await vscode.window.showOpenDialog({
    title: "The Python that runs the script",
    openLabel: "Use This Python",
    ...(folder === undefined ? {} : { defaultUri: folder }),
  });
  return chosen?.[0]?.fsPath;
}
