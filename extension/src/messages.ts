// The one way to the editor's notifications. The editor makes links of `[text](command:…)` in them,
// and they tell of files, profiles and errors that others have named.

import * as vscode from "vscode";

import { sentence } from "./errors";

/** The text with nothing in it that the editor would take for a link. */
export function withoutLinks(text: string): string {
  return text.replaceAll("](", "] (");
}

/** Says that something failed. @returns The action that was chosen. */
export function showError(message: string, ...actions: string[]): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(withoutLinks(message), ...actions);
}

export function showWarning(message: string, ...actions: string[]): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(withoutLinks(message), ...actions);
}

export function showNote(message: string, ...actions: string[]): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(withoutLinks(message), ...actions);
}

/** What a button of a notification does about what the notification tells. */
export interface Remedy {
  readonly title: string;
  readonly act: () => Promise<unknown>;
}

/** A failure that something can be done about at once. */
export class RemediableError extends Error {
  constructor(
    message: string,
    readonly remedy: Remedy,
  ) {
    super(message);
  }
}

/** Does something; if it fails, says why. Being cancelled is no failure. */
export async function tellingFailure<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    tellFailure(error);
    return undefined;
  }
}

/** Says why something failed, and does about it what a person wants done. */
export function tellFailure(error: unknown): void {
  if (error instanceof vscode.CancellationError) return;
  if (error instanceof RemediableError) void offer(showError, error.message, error.remedy);
  else void showError(sentence(error));
}

/** Tells something, with a button that does something about it. */
export async function offer(
  show: typeof showNote,
  message: string,
  { title, act }: Remedy,
): Promise<void> {
  if ((await show(message, title)) === title) await tellingFailure(act);
}

/** Asks before something that cannot be taken back. @returns Whether it is to be done. */
export async function confirm(question: string, detail: string, action: string): Promise<boolean> {
  const options = { modal: true, detail };
  return (await vscode.window.showWarningMessage(question, options, action)) === action;
}

/** Tells how far something is; `percentage` counts from 0 to 100. */
export type Report = (message: string, percentage?: number) => void;

/** Does something that takes a while, with a notification that tells how far it is and cancels it. */
export async function withProgress<T>(
  title: string,
  work: (report: Report, token: vscode.CancellationToken) => Promise<T>,
): Promise<T> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: withoutLinks(title),
    cancellable: true,
  };
  return await vscode.window.withProgress(options, (progress, token) => {
    let shown = 0;
    const report: Report = (message, percentage) => {
      // Without an increment the bar runs on; even one of nothing would stop it.
      const increment = percentage === undefined ? {} : { increment: percentage - shown };
      progress.report({ message: withoutLinks(message), ...increment });
      shown = percentage ?? shown;
    };
    return work(report, token);
  });
}
