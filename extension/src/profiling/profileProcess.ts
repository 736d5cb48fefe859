// The process that profiles a script: started, listened to, and ended with all its children.

import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { createInterface } from "node:readline";

import {
  PROGRESS_DESCRIPTOR,
  profileCommand,
  type RunRequest,
  scriptEnvironment,
} from "./commandLine";
import { endTree, killTree } from "./processTree";
import type { RunEnd } from "./runEnding";
import { parseStage, type Stage } from "./stages";

export interface RunListener {
  onStage(stage: Stage): void;
  /** The script's output, as it comes. */
  onOutput(bytes: Uint8Array): void;
}

const STOP_GRACE_MS = 2_000;
/** What the script left running may keep the pipes open: so long they are listened to. */
const DRAIN_MS = 500;

export class ProfileProcess {
  /** Resolves when the command line has ended; never rejects. */
  readonly ended: Promise<RunEnd>;
  readonly #child: ChildProcess;
  #hasEnded = false;
  readonly #killAtExit = (): void => {
    if (this.#pid !== undefined) killTree(this.#pid);
  };

  constructor(request: RunRequest, listener: RunListener) {
    const command = profileCommand(request);
    this.#child = spawn(command.program, command.arguments, {
      cwd: request.workingDirectory,
      env: scriptEnvironment(process.env),
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      // A group of its own, so that Ctrl-C in its terminal reaches it and nothing else.
      detached: true,
    });
    this.ended = this.#follow(listener);
    // Whatever ends the extension ends the run.
    process.once("exit", this.#killAtExit);
    void this.ended.then(() => {
      this.#hasEnded = true;
      process.off("exit", this.#killAtExit);
    });
  }

  /** Hands the script what was typed. */
  write(text: string): void {
    this.#child.stdin?.write(text);
  }

  endInput(): void {
    this.#child.stdin?.end();
  }

  /** What Ctrl-C does. */
  interrupt(): void {
    if (this.#pid === undefined) return;
    try {
      process.kill(-this.#pid, "SIGINT");
    } catch {
      // It has ended.
    }
  }

  /** Ends the script and all it started: asks first, and insists after two seconds. */
  async stop(): Promise<void> {
    if (this.#pid !== undefined) await endTree(this.#pid, STOP_GRACE_MS);
    await this.ended;
  }

  /** Only while it runs: later the system gives the number to another process. */
  get #pid(): number | undefined {
    return this.#hasEnded ? undefined : this.#child.pid;
  }

  async #follow(listener: RunListener): Promise<RunEnd> {
    const child = this.#child;
    let problem: string | undefined;
    child.on("error", (error) => (problem = error.message));
    // A script that reads nothing may have ended when something is written to it.
    child.stdin?.on("error", () => undefined);
    const document: Buffer[] = [];
    child.stdout?.on("data", (bytes: Buffer) => document.push(bytes));
    child.stderr?.on("data", (bytes: Buffer) => {
      listener.onOutput(bytes);
    });
    const progress = createInterface({ input: child.stdio[PROGRESS_DESCRIPTOR] as Readable });
    progress.on("line", (line) => {
      const stage = parseStage(line);
      if (stage !== undefined) listener.onStage(stage);
    });
    const [status, signal] = await ending(child);
    return { status, signal, problem, document: parseDocument(Buffer.concat(document)) };
  }
}

type ExitStatus = [status: number | null, signal: NodeJS.Signals | null];

function ending(child: ChildProcess): Promise<ExitStatus> {
  return new Promise((resolve) => {
    child.once("error", () => {
      if (child.pid === undefined) resolve([null, null]);
    });
    child.once("close", (...status: ExitStatus) => {
      resolve(status);
    });
    child.once("exit", (...status: ExitStatus) => {
      setTimeout(() => {
        resolve(status);
      }, DRAIN_MS);
    });
  });
}

function parseDocument(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
