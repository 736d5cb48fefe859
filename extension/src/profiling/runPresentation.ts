// What a person sees of a run beside its terminal: progress, that it runs on, how it ended.

import { setTimeout as delay } from "node:timers/promises";

import * as vscode from "vscode";

import { showError, showNote, showWarning, tellingFailure, withProgress } from "../messages";
import { describeEnding, type Ending } from "./runEnding";
import { progressText } from "./runState";
import type { ScriptRun } from "./scriptRun";

/** A script that ends this soon after its recording is not worth a note that it runs on. */
const RUNNING_ON_MS = 1_500;

const STOP_SCRIPT = "Stop Script";
const SHOW_OUTPUT = "Show Output";
const OPEN_SETTING = "Open Setting";
const OPEN_RECORDING = "Open Recording";

/**
 * Accompanies a run to its end.
 *
 * @param openRecording Opens what the runtime recorded, which may need Neuron's own tools.
 */
export async function presentRun(
  run: ScriptRun,
  openRecording: (directory: string) => Promise<unknown>,
): Promise<void> {
  await showProgress(run);
  if (run.isRunning && !run.isStopped) await showRunningOn(run);
  const end = await run.ended;
  if (run.isStopped) {
    run.terminal.end(`${run.script} was stopped.`);
    return;
  }
  const ending = describeEnding(run.script, end);
  run.terminal.end(ending?.message ?? `${run.script} has ended, and its profile is shown.`);
  if (ending !== undefined) await showEnding(run, ending, openRecording);
}

async function showProgress(run: ScriptRun): Promise<void> {
  await withProgress(`Profiling ${run.script}`, async (report, token) => {
    const update = (): void => {
      report(progressText(run.state, run.script));
    };
    const watching = vscode.Disposable.from(
      run.onDidChange(update),
      token.onCancellationRequested(() => void run.stop()),
    );
    update();
    await run.settled;
    watching.dispose();
  });
}

async function showRunningOn(run: ScriptRun): Promise<void> {
  // Without an id: the editor takes two items with the same one, of two scripts, for one.
  const item = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
  const stop: vscode.Command = {
    title: STOP_SCRIPT,
    command: "sidelight.stopScript",
    arguments: [run],
  };
  item.name = "Sidelight: Running Script";
  item.text = `$(debug-stop) ${run.script}`;
  item.tooltip = `${run.script} is still running after its recording. Click to stop it.`;
  item.accessibilityInformation = { label: `Stop ${run.script}, which is still running` };
  item.command = stop;
  item.show();
  await Promise.race([run.ended, delay(RUNNING_ON_MS, undefined, { ref: false })]);
  if (run.isRunning) noteRunningOn(run);
  await run.ended;
  item.dispose();
}

function noteRunningOn(run: ScriptRun): void {
  const message = `The profile of ${run.script} is ready; the script is still running.`;
  void showNote(message, STOP_SCRIPT).then((chosen) => {
    if (chosen === STOP_SCRIPT) void run.stop();
  });
}

async function showEnding(
  run: ScriptRun,
  ending: Ending,
  openRecording: (directory: string) => Promise<unknown>,
): Promise<void> {
  // A traceback, if there is one, stands in the terminal.
  run.terminal.show();
  const { recording } = run.state;
  const actions = [SHOW_OUTPUT];
  if (ending.interpreterAtFault) actions.unshift(OPEN_SETTING);
  if (recording !== undefined) actions.unshift(OPEN_RECORDING);
  const tell = ending.severity === "error" ? showError : showWarning;
  const chosen = await tell(ending.message, ...actions);
  if (chosen === SHOW_OUTPUT) run.terminal.show();
  if (chosen === OPEN_RECORDING && recording !== undefined) {
    await tellingFailure(() => openRecording(recording));
  }
  if (chosen === OPEN_SETTING) {
    await vscode.commands.executeCommand(
      "workbench.action.openSettings",
      "sidelight.python.interpreter",
    );
  }
}
