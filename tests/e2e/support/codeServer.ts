// code-server, with a home, settings and extensions of its own.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { descendants } from "./processes";
import { VSIX, codeServerPath } from "./tools";

type Settings = Readonly<Record<string, unknown>>;

export interface ServerOptions {
  /** Where it keeps everything; made where it is not there. */
  readonly directory: string;
  /** Settings on top of the calm ones. */
  readonly settings: Settings;
  /** Settings of this machine's own, such as paths of programs: the user's are not asked for them. */
  readonly machineSettings: Settings;
  /** Whether folders have to be trusted first, as in a VS Code just installed. */
  readonly workspaceTrust: boolean;
  /** Folders of programs, before those that this process finds. */
  readonly onPath?: readonly string[];
  readonly port?: number;
  /** Further options of the command line. */
  readonly options?: readonly string[];
}

/** An editor that opens nothing by itself, asks nothing and calls nobody. */
const CALM: Settings = {
  "chat.disableAIFeatures": true,
  "editor.minimap.enabled": false,
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "git.enabled": false,
  "github.gitAuthentication": false,
  "security.workspace.trust.banner": "never",
  "security.workspace.trust.startupPrompt": "never",
  // Text that can be read back, whatever the machine draws with.
  "terminal.integrated.gpuAcceleration": "off",
  "telemetry.telemetryLevel": "off",
  "window.restoreWindows": "none",
  "workbench.enableExperiments": false,
  "workbench.reduceMotion": "on",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};

/** Installs the extension into a folder of extensions, as a person's editor does. */
export function installExtension(extensions: string, directory: string): void {
  const options = ["--extensions-dir", extensions, "--user-data-dir", directory];
  const command = [codeServerPath(), ...options, "--install-extension", VSIX];
  execFileSync(process.execPath, command, { env: environment(directory), stdio: "pipe" });
}

export class CodeServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    readonly directory: string,
  ) {}

  /** Starts one and waits until it answers. */
  static async start(extensions: string, options: ServerOptions): Promise<CodeServer> {
    const { directory } = options;
    writeJson(path.join(directory, "User/settings.json"), { ...CALM, ...options.settings });
    writeJson(path.join(directory, "Machine/settings.json"), options.machineSettings);
    fs.mkdirSync(path.join(directory, "home/run"), { recursive: true });

    const port = options.port ?? (await freePort());
    const log = fs.openSync(path.join(directory, "code-server.log"), "a");
    const child = spawn(
      process.execPath,
      [
        codeServerPath(),
        ...["--bind-addr", `127.0.0.1:${port}`, "--auth", "none", "--disable-proxy"],
        ...["--user-data-dir", directory, "--extensions-dir", extensions],
        ...["--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"],
        ...(options.workspaceTrust ? [] : ["--disable-workspace-trust"]),
        ...(options.options ?? []),
      ],
      {
        env: environment(directory, options.onPath),
        stdio: ["ignore", log, log],
        detached: true,
      },
    );
    fs.closeSync(log);
    const server = new CodeServer(child, port, directory);
    try {
      await server.answers();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  /** The address that opens a folder or a `.code-workspace` file, with a file in an editor. */
  url(opened: string, file?: string, payload: readonly [string, string][] = []): string {
    const query = new URLSearchParams();
    query.set(opened.endsWith(".code-workspace") ? "workspace" : "folder", opened);
    const openFile: [string, string][] = file === undefined ? [] : [["openFile", this.uri(file)]];
    query.set("payload", JSON.stringify([...openFile, ...payload]));
    return `http://127.0.0.1:${this.port}/?${query.toString()}`;
  }

  /** A file of this machine, as the page calls it. */
  uri(file: string): string {
    return `vscode-remote://127.0.0.1:${this.port}${file}`;
  }

  /** The processes it has started whose command line holds a text. */
  processes(text: string): number[] {
    return this.child.pid === undefined ? [] : descendants(this.child.pid, text);
  }

  /** What the extension has logged in all its windows. */
  extensionLog(): string {
    const logs = path.join(this.directory, "logs");
    return fs
      .globSync("*/exthost*/sidelight.sidelight/*.log", { cwd: logs })
      .map((file) => fs.readFileSync(path.join(logs, file), "utf8"))
      .join("\n");
  }

  /** Ends it with all its processes, and waits for that. */
  async stop(): Promise<void> {
    const { child } = this;
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
      return;
    }
    const ended = new Promise((resolve) => child.once("exit", resolve));
    process.kill(-child.pid, "SIGTERM");
    await Promise.race([ended, delay(5_000, undefined, { ref: false })]);
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // All of the group had ended.
    }
    await ended;
  }

  private async answers(): Promise<void> {
    const deadline = Date.now() + 240_000;
    while (this.child.exitCode === null && Date.now() < deadline) {
      try {
        if ((await fetch(`http://127.0.0.1:${this.port}/healthz`)).ok) {
          return;
        }
      } catch {
        // Not yet.
      }
      await delay(50);
    }
    const log = fs.readFileSync(path.join(this.directory, "code-server.log"), "utf8");
    throw new Error(`code-server did not start:\n${log}`);
  }
}

/** What the person who runs the tests has set up for themselves stays out, but for the path. */
function environment(directory: string, onPath: readonly string[] = []): NodeJS.ProcessEnv {
  const home = path.join(directory, "home");
  const { PATH, LANG, TMPDIR } = process.env;
  return {
    PATH: [...onPath, PATH].join(path.delimiter),
    // Else a login shell's path takes the place of this one.
    ...(onPath.length > 0 ? { VSCODE_CLI: "1" } : {}),
    LANG,
    TMPDIR,
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, ".config"),
    XDG_DATA_HOME: path.join(home, ".local/share"),
    XDG_RUNTIME_DIR: path.join(home, "run"),
    EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: "" }),
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => {
        resolve(port);
      });
    });
  });
}

function writeJson(file: string, content: unknown): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(content, null, 2));
}
