// One life of the server: its process and the language client that talks to it. Loaded when the
// server is first started, as the client library costs time that activation does not have.

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

import type * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  WorkDoneProgress,
  type LanguageClientOptions,
  type WorkDoneProgressBegin,
  type WorkDoneProgressEnd,
  type WorkDoneProgressReport,
} from "vscode-languageclient/node";

import { withoutPythonLeaks } from "../python/childEnvironment";

export interface ConnectionOptions {
  readonly python: string;
  readonly workingDirectory: string;
  readonly log: vscode.LogOutputChannel;
  /** Ends the start. */
  readonly signal: AbortSignal;
  /** What the server may tell unasked. */
  readonly notifications: readonly string[];
  readonly onNotification: (method: string, params: unknown) => void;
  /** The server ended although nobody asked it to, after it had become ready. */
  readonly onEnded: (how: string) => void;
}

/** How long it may take to end after its connection has, before it is made to. */
const ENDING_MS = 2_000;
/** How long the last lines of a process that ended may take to arrive. */
const LAST_WORDS_MS = 300;

/** How far a request has come, as the protocol has it. */
export type WorkDone = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

/** The server's process ended before it was ready. */
export class NotReadyError extends Error {
  /** @param failed Whether it ended by itself with an error; else something ended it. */
  constructor(
    message: string,
    readonly failed: boolean,
    cause: unknown,
  ) {
    super(message, { cause });
  }
}

/** The client library tells people of every failure; here the caller does, once and plainly. */
class QuietLanguageClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export class Connection {
  readonly #client: LanguageClient;
  readonly #process: ServerProcess;

  private constructor(client: LanguageClient, process: ServerProcess) {
    this.#client = client;
    this.#process = process;
  }

  /**
   * Starts a server.
   *
   * @throws NotReadyError It ended before it was ready.
   */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const process = new ServerProcess(options);
    let ready = false;
    const client = new QuietLanguageClient(
      "sidelight",
      "Sidelight",
      () => process.started(),
      clientOptions(options.log, process, () => {
        if (ready) void process.ended(ENDING_MS).then(options.onEnded);
      }),
    );
    // Before the start: the server may speak as soon as it is ready.
    for (const method of options.notifications) {
      client.onNotification(method, (params: unknown) => {
        options.onNotification(method, params);
      });
    }
    const end = (): void => {
      process.end();
    };
    options.signal.addEventListener("abort", end);
    try {
      await client.start();
      ready = true;
      return new Connection(client, process);
    } catch (error) {
      const how = await process.ended(ENDING_MS);
      options.signal.throwIfAborted();
      throw new NotReadyError(how, process.failed, error);
    } finally {
      options.signal.removeEventListener("abort", end);
    }
  }

  async request<Result>(
    method: string,
    params: object,
    token: vscode.CancellationToken | undefined,
  ): Promise<Result> {
    return token === undefined
      ? await this.#client.sendRequest<Result>(method, params)
      : await this.#client.sendRequest<Result>(method, params, token);
  }

  onWorkDone(token: string, handler: (progress: WorkDone) => void): vscode.Disposable {
    return this.#client.onProgress<WorkDone>(WorkDoneProgress.type, token, handler);
  }

  /** Ends the server: it is asked to, and made to if it does not. */
  async close(): Promise<void> {
    try {
      await this.#client.dispose();
    } catch {
      // It did not answer in time, or is gone already.
    }
    await this.#process.ended(ENDING_MS);
  }
}

function clientOptions(
  log: vscode.LogOutputChannel,
  process: ServerProcess,
  closed: () => void,
): LanguageClientOptions {
  return {
    documentSelector: [{ scheme: "file", language: "python" }],
    outputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: { commandLinks: true },
    markdown: { isTrusted: { enabledCommands: ["sidelight.showTimeline"] }, supportHtml: false },
    initializationFailedHandler: () => false,
    middleware: {
      // The editor's own padding is too narrow to tell a figure from the code before it.
      provideInlayHints: async (document, range, token, next) => {
        const hints = (await next(document, range, token)) ?? [];
        for (const hint of hints) {
          if (typeof hint.label === "string") hint.label = `\u2003${hint.label}`;
        }
        return hints;
      },
    },
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        closed();
        return {
          action: CloseAction.DoNotRestart,
          handled: true,
          message: "the server's connection was closed",
        };
      },
    },
    stdioOptions: {
      stdout: () => undefined,
      stderr: (stream) => {
        createInterface({ input: stream, crlfDelay: Infinity }).on("line", (line) => {
          process.lastWords = line;
          log.warn(`server: ${line}`);
        });
      },
    },
  };
}

/** The server's process, and how it ended. */
class ServerProcess {
  readonly #child: ChildProcess;
  readonly #end: Promise<string>;
  /** The last line it wrote to its standard error. */
  lastWords = "";
  /** Whether it ended by itself with an error. */
  failed = false;

  constructor(options: ConnectionOptions) {
    // Isolated, as in checkServer: only what is installed in that Python counts.
    this.#child = spawn(options.python, ["-I", "-m", "sidelight", "server"], {
      cwd: options.workingDirectory,
      env: withoutPythonLeaks(process.env),
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    this.#end = new Promise((resolve) => {
      this.#child.once("error", (error) => {
        this.failed = true;
        resolve(`it does not start: ${error.message}`);
      });
      this.#child.once("exit", (status, signal) => {
        this.failed = signal === null && status !== 0;
        // Not "close": a child of its own may hold its output open.
        setTimeout(() => {
          const said = this.lastWords === "" ? "" : `: ${this.lastWords}`;
          resolve(signal === null ? `it ended with status ${status}${said}` : `${signal} ended it`);
        }, LAST_WORDS_MS);
      });
    });
  }

  /** The process, once it runs. */
  async started(): Promise<ChildProcess> {
    if (this.#child.pid === undefined) throw new Error(await this.#end);
    return this.#child;
  }

  /** How it ended, once it has; it is made to when it takes too long. */
  async ended(timeoutMs: number): Promise<string> {
    const timer = setTimeout(() => {
      this.end();
    }, timeoutMs);
    try {
      return await this.#end;
    } finally {
      clearTimeout(timer);
    }
  }

  end(): void {
    this.#child.kill("SIGKILL");
  }
}
