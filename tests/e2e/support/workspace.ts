// The folder a test works in.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

import { PYTHON } from "./tools";

/** The document of `sidelight lines --json`, as far as the tests read it. */
export interface LinesDocument {
  readonly profile: string;
  readonly name: string;
  readonly target: string;
  readonly steps: number;
  readonly device_time_ns: number;
  readonly predicted_ns: number | null;
  readonly lines: readonly {
    readonly file: string;
    readonly line: number;
    readonly self_ns: number;
    readonly total_ns: number;
    readonly count: number;
  }[];
}

/** Profiles that were taken before, to be had again without the wait. */
export interface Recordings {
  readonly directory: string;
  readonly documents: Map<string, LinesDocument>;
}

export class Workspace {
  constructor(
    readonly directory: string,
    private readonly recordings: Recordings,
  ) {
    fs.mkdirSync(directory, { recursive: true });
  }

  /** A folder below this one, which can be a workspace's folder of its own. */
  folder(name: string): Workspace {
    return new Workspace(this.path(name), this.recordings);
  }

  path(name: string): string {
    return path.join(this.directory, name);
  }

  write(name: string, content: string): void {
    fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
    fs.writeFileSync(this.path(name), content);
  }

  makeExecutable(name: string): void {
    fs.chmodSync(this.path(name), 0o755);
  }

  read(name: string): string {
    return fs.readFileSync(this.path(name), "utf8");
  }

  /** Whether a file is there. */
  has(name: string): boolean {
    return fs.existsSync(this.path(name));
  }

  /**
   * Writes a script into the folder, which has no profile yet, and one of the script into its store.
   * That is taken once and then copied: all tests' folders have the same path.
   */
  writeProfiled(script: string, source: string): LinesDocument {
    this.write(script, source);
    const key = createHash("sha256").update(this.path(script)).update(source).digest("hex");
    const kept = path.join(this.recordings.directory, key);
    const store = this.path(".sidelight");
    const known = this.recordings.documents.get(key);
    if (known !== undefined) {
      fs.cpSync(kept, store, { recursive: true });
      return known;
    }
    const document = this.profile(script);
    fs.cpSync(store, kept, { recursive: true });
    this.recordings.documents.set(key, document);
    return document;
  }

  /** Profiles a script of the folder with the command line, on the CPU, into the folder's store. */
  profile(
    script: string,
    name = path.parse(script).name,
    options: readonly string[] = [],
  ): LinesDocument {
    const how = ["--target", "cpu", "--python", PYTHON, "--name", name, "--json", ...options];
    return this.sidelight("profile", ...how, script);
  }

  /** Reads a recording of the folder into its store. */
  open(recording: string, options: readonly string[] = []): LinesDocument {
    return this.sidelight("open", "--json", ...options, recording);
  }

  /** What the command line says of the lines of a stored profile. */
  lines(profile: string): LinesDocument {
    return this.sidelight("lines", profile, "--json");
  }

  /** Runs a script of the folder. */
  run(script: string): void {
    execFileSync(PYTHON, [script], { cwd: this.directory, stdio: "pipe" });
  }

  private sidelight(...command: string[]): LinesDocument {
    const answer = execFileSync(PYTHON, ["-m", "sidelight", ...command], {
      cwd: this.directory,
      encoding: "utf8",
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "pipe"],
    });
    return JSON.parse(answer) as LinesDocument;
  }
}
