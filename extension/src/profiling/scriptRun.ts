// One run of a script: its process and its terminal, and how far it is.

import * as path from "node:path";

import * as vscode from "vscode";

import type { RunRequest } from "./commandLine";
import { ProfileProcess } from "./profileProcess";
import type { RunEnd } from "./runEnding";
import { advance, BEFORE_START, type RunState } from "./runState";
import { RunTerminal } from "./runTerminal";
import type { Stage } from "./stages";

export class ScriptRun implements vscode.Disposable {
  readonly #show: () => Promise<void>;
  /** The script's file name. */
  readonly script: string;
  readonly terminal: RunTerminal;
  /** Resolves when the process has ended and what it left is shown; never rejects. */
  readonly ended: Promise<RunEnd>;
  /** Resolves when the script runs on and its profile is shown, or with `ended`. */
  readonly settled: Promise<void>;
  readonly #process: ProfileProcess;
  readonly #changed = new vscode.EventEmitter<RunState>();
  readonly onDidChange = this.#changed.event;
  #current = BEFORE_START;
  #shown: Promise<void> = Promise.resolve();
  #stopping = false;
  #running = true;

  /** @param show Shows what has just been stored; never rejects. */
  constructor(request: RunRequest, show: () => Promise<void>) {
    this.#show = show;
    this.script = path.basename(request.script);
    this.terminal = new RunTerminal(this.script, {
      onInput: (text) => {
        this.#process.write(text);
      },
      onEndOfInput: () => {
        this.#process.endInput();
      },
      onInterrupt: () => {
        this.#process.interrupt();
      },
      onClose: () => void this.stop(),
    });
    this.#process = new ProfileProcess(request, {
      onStage: (stage) => {
        this.#handle(stage);
      },
      onOutput: (bytes) => {
        this.terminal.write(bytes);
      },
    });
    this.ended = this.#process.ended.then(async (end) => {
      this.#running = false;
      await this.#shown;
      return end;
    });
    this.settled = new Promise((resolve) => {
      this.#changed.event(({ phase }) => {
        if (phase === "runningOn") void this.#shown.then(resolve);
      });
      void this.ended.then(() => {
        resolve();
      });
    });
  }

  get state(): RunState {
    return this.#current;
  }

  get isRunning(): boolean {
    return this.#running;
  }

  /** Whether a person has ended it. */
  get isStopped(): boolean {
    return this.#stopping;
  }

  /** Ends the script and all it started. */
  async stop(): Promise<void> {
    if (!this.#running) return;
    this.#stopping = true;
    await this.#process.stop();
  }

  /** Takes the terminal away; a script that runs is ended. */
  dispose(): void {
    void this.stop();
    this.terminal.dispose();
    this.#changed.dispose();
  }

  #handle(stage: Stage): void {
    this.#current = advance(this.#current, stage);
    if (stage.stage === "stored") this.#shown = this.#show();
    this.#changed.fire(this.#current);
  }
}
