// The one way to the language server: starts it, asks it, and starts it again when it dies.

import * as vscode from "vscode";

import { sentence } from "../errors";
import { showError } from "../messages";
import type { Notifications, Requests } from "../protocol";
import { onDidChangeSettings } from "../settings";
import type { Connection, WorkDone } from "./connection";
import { CrashHistory } from "./crashes";
import type { ServerEnvironment } from "./environment";
import { requestError } from "./requestErrors";
import { SHOW_LOG_COMMAND, START_COMMAND, ServerStatus } from "./status";

/** What the server tells unasked: all of it, by the type. */
const NOTIFICATIONS: Record<keyof Notifications, true> = {
  "sidelight/annotationsChanged": true,
  "sidelight/markersChanged": true,
  "sidelight/profilesChanged": true,
  "sidelight/shownChanged": true,
};

const NOT_STARTED = "Sidelight's server is not running yet: it starts with the first profile.";
const UNTRUSTED = "Sidelight runs nothing in a workspace that is not trusted. Trust it first.";
const DIED_TOO_OFTEN =
  "Sidelight's server ended five times within three minutes and is not started again. " +
  "Its log says more.";
const QUIET_MESSAGE_MS = 8_000;

interface Life {
  readonly connection: Promise<Connection>;
  readonly abort: AbortController;
  isReady: boolean;
}

interface Beginning {
  /** Whether the server ran before and died. */
  readonly again: boolean;
  /** Whether a failure is told here; else whoever asked hears of it. */
  readonly tell: boolean;
}

export class ServerClient implements vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  readonly #environment: ServerEnvironment;
  readonly #status = new ServerStatus();
  readonly #crashes = new CrashHistory();
  readonly #started = new vscode.EventEmitter<void>();
  readonly #notified = new vscode.EventEmitter<{ method: string; params: unknown }>();
  readonly #subscriptions: readonly { dispose(): unknown }[];

  /** The server's life, from when it is asked for; undefined while there is none. */
  #life: Life | undefined;
  /** Why there is none. */
  #absence = NOT_STARTED;
  /** It died too often: only a person starts it now. */
  #gaveUp = false;

  /** Fires when the server has become ready, also after it was started again. */
  readonly onDidStart = this.#started.event;

  constructor(log: vscode.LogOutputChannel, environment: ServerEnvironment) {
    this.#log = log;
    this.#environment = environment;
    this.#subscriptions = [
      this.#status,
      this.#started,
      this.#notified,
      vscode.commands.registerCommand(SHOW_LOG_COMMAND, () => {
        log.show();
      }),
      vscode.commands.registerCommand(START_COMMAND, () => this.restart()),
      onDidChangeSettings(["server.python"], () => {
        if (this.#isWanted) void this.restart();
      }),
      onDidChangeSettings(["server.wheels"], () => {
        if (this.#isWanted && this.#life?.isReady !== true) void this.restart();
      }),
    ];
  }

  /** Starts the server if it does not run and may. A failure is told to the user. */
  async start(): Promise<void> {
    if (!vscode.workspace.isTrusted || this.#gaveUp) return;
    const life = this.#life ?? this.#begin({ again: false, tell: true });
    await life.connection.catch(() => undefined);
  }

  /** Ends the server. */
  async stop(): Promise<void> {
    const life = this.#life;
    this.#life = undefined;
    this.#absence = NOT_STARTED;
    this.#status.show({ state: "waiting" });
    life?.abort.abort(new vscode.CancellationError());
    await life?.connection.then(
      (connection) => connection.close(),
      () => undefined,
    );
  }

  /** A person wants it to be started anew: also after it died too often. */
  async restart(): Promise<void> {
    await this.stop();
    this.#gaveUp = false;
    this.#crashes.forget();
    await this.start();
  }

  /**
   * Asks the server; waits for a start in progress.
   *
   * @throws Error A plain sentence; vscode.CancellationError where it was cancelled.
   */
  async request<M extends keyof Requests>(
    method: M,
    params: Requests[M]["params"],
    token?: vscode.CancellationToken,
  ): Promise<Requests[M]["result"]> {
    const connection = await this.#connected();
    try {
      return await connection.request<Requests[M]["result"]>(method, params, token);
    } catch (error) {
      throw requestError(error);
    }
  }

  /**
   * The same, but only of a server that runs or is starting: to see whether there is anything to
   * show is no reason to install and start one.
   */
  async requestIfStarted<M extends keyof Requests>(
    method: M,
    params: Requests[M]["params"],
  ): Promise<Requests[M]["result"]> {
    if (this.#life === undefined) throw new Error(this.#absence);
    return await this.request(method, params);
  }

  /** Hears of what the server tells unasked, in all its lives. */
  onNotification<M extends keyof Notifications>(
    method: M,
    handler: (params: Notifications[M]) => void,
  ): vscode.Disposable {
    return this.#notified.event((told) => {
      if (told.method === method) handler(told.params as Notifications[M]);
    });
  }

  /** Hears how far a request has come that carries `token` as its `workDoneToken`. */
  async onWorkDone(
    token: string,
    handler: (progress: WorkDone) => void,
  ): Promise<vscode.Disposable> {
    const connection = await this.#connected();
    return connection.onWorkDone(token, handler);
  }

  dispose(): void {
    void this.stop();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  /** Whether it runs, is starting, or has failed to. */
  get #isWanted(): boolean {
    return this.#life !== undefined || this.#absence !== NOT_STARTED;
  }

  async #connected(): Promise<Connection> {
    if (!vscode.workspace.isTrusted) throw new Error(UNTRUSTED);
    if (this.#gaveUp) throw new Error(this.#absence);
    return await (this.#life ?? this.#begin({ again: false, tell: false })).connection;
  }

  #begin(beginning: Beginning): Life {
    const abort = new AbortController();
    const life: Life = { abort, connection: this.#open(abort.signal), isReady: false };
    this.#life = life;
    this.#status.show({ state: "starting" });
    life.connection.then(
      () => {
        if (this.#life !== life) return;
        life.isReady = true;
        this.#status.show({ state: "ready", restarted: beginning.again });
        this.#log.info("the server is ready");
        this.#started.fire();
      },
      (error: unknown) => {
        if (this.#life === life) this.#failed(error, beginning.tell);
      },
    );
    return life;
  }

  async #open(signal: AbortSignal): Promise<Connection> {
    const { Connection, NotReadyError } = await import("./connection");
    for (;;) {
      const python = await unlessAborted(this.#environment.python(), signal);
      try {
        return await Connection.open({
          python,
          workingDirectory: this.#environment.directory,
          log: this.#log,
          signal,
          notifications: Object.keys(NOTIFICATIONS),
          onNotification: (method, params) => {
            this.#notified.fire({ method, params });
          },
          onEnded: (how) => {
            if (this.#life?.abort.signal === signal) this.#crashed(how);
          },
        });
      } catch (error) {
        if (!(error instanceof NotReadyError)) throw error;
        const { message, cause } = error;
        this.#log.error(`the server ended before it was ready: ${message} (${sentence(cause)})`);
        if (error.failed) {
          if (await this.#environment.repair()) continue;
          throw new Error(`Sidelight's server does not start: ${message}.`, { cause: error });
        }
        if (this.#crashes.record(Date.now()) === "give up") {
          this.#gaveUp = true;
          throw new Error(DIED_TOO_OFTEN, { cause: error });
        }
      }
    }
  }

  #crashed(how: string): void {
    this.#log.error(`the server ended unexpectedly: ${how}`);
    if (this.#crashes.record(Date.now()) === "restart") {
      this.#begin({ again: true, tell: true });
      const message = "$(sync) Sidelight's server ended unexpectedly and is started again.";
      vscode.window.setStatusBarMessage(message, QUIET_MESSAGE_MS);
    } else {
      this.#gaveUp = true;
      this.#failed(new Error(DIED_TOO_OFTEN), true);
    }
  }

  #failed(error: unknown, tell: boolean): void {
    this.#life = undefined;
    if (error instanceof vscode.CancellationError) {
      this.#absence = NOT_STARTED;
      this.#status.show({ state: "waiting" });
      return;
    }
    this.#absence = sentence(error);
    this.#log.error(this.#absence);
    this.#status.show({ state: "failed", reason: this.#absence });
    if (tell) void this.#tellFailure(this.#absence);
  }

  async #tellFailure(message: string): Promise<void> {
    const again = "Start Again";
    const showLog = "Show Log";
    const answer = await showError(message, again, showLog);
    if (answer === again) await vscode.commands.executeCommand(START_COMMAND);
    if (answer === showLog) this.#log.show();
  }
}

/** What comes of a promise, or the signal's reason if that comes first. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return await new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject);
  });
}
