// Questions of a page that a newer one of their kind supersedes: nobody waits for their answers.

import * as vscode from "vscode";

/** Why a question has no answer: a newer one of its kind was asked. */
export class SupersededError extends Error {
  constructor() {
    super("It was asked anew.");
  }
}

/** Asks questions, and cancels those that nobody waits for any more. */
export class NewestQuestions implements vscode.Disposable {
  readonly #newest = new Map<string, vscode.CancellationTokenSource>();

  /**
   * Asks; what was asked of the same kind before is cancelled.
   *
   * @param ask Asks, until its token says that it need not.
   * @throws SupersededError A newer question came, and this one was not answered.
   */
  async ask<T>(kind: string, ask: (token: vscode.CancellationToken) => Promise<T>): Promise<T> {
    this.#newest.get(kind)?.cancel();
    const cancelling = new vscode.CancellationTokenSource();
    this.#newest.set(kind, cancelling);
    try {
      return await ask(cancelling.token);
    } catch (error) {
      const isOurs = cancelling.token.isCancellationRequested;
      throw isOurs && error instanceof vscode.CancellationError ? new SupersededError() : error;
    } finally {
      if (this.#newest.get(kind) === cancelling) this.#newest.delete(kind);
      cancelling.dispose();
    }
  }

  /** Cancels all that is asked. */
  dispose(): void {
    for (const cancelling of this.#newest.values()) cancelling.cancel();
  }
}
