// Profiles of a real program, and of public traces, summed up by the real server and command line.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import type { Overview } from "../../../../extension/src/documents";
import type { Analysis } from "../../../../extension/src/protocol";
import type { AnalysisAnswers, AskedServer } from "./openAnalysis";
import { startServer } from "./recordedProfile";

const SIDELIGHT = [resolve(".venv/bin/python"), "-m", "sidelight"] as const;

/** What `sidelight summary --json` prints. */
export type PrintedSummary = Overview & {
  readonly tables: Readonly<
    Record<
      string,
      {
        readonly columns: readonly { readonly name: string; readonly title: string }[];
        readonly rows: readonly Readonly<Record<string, string | number | null>>[];
      }
    >
  >;
};

/** A profile, and what the command line says of it. */
export class RecordedAnalysis implements AnalysisAnswers {
  private constructor(
    readonly analysis: Analysis,
    readonly printed: PrintedSummary,
    /** What `sidelight summary` prints for people. */
    readonly printedText: string,
    /** The real server, until `close`. */
    readonly server: AskedServer,
    readonly close: () => void,
  ) {}

  /** A table as `sidelight summary --table` prints it for people: its rows' cells. */
  printedTable(table: string): readonly (readonly string[])[] {
    const words = ["summary", this.analysis.directory, "--table", table];
    // Wide enough for every column.
    const printed = run(words, { COLUMNS: "600" });
    const [, , ...rows] = printed.trimEnd().split("\n");
    return rows.map((row) => row.split(/ {2,}/u));
  }

  /**
   * Profiles or opens something, and has the server sum it up.
   *
   * @param verb What to do, such as `["profile", "--target", "fake", "examples/rmsnorm.py"]`.
   */
  static async of(verb: readonly string[]): Promise<RecordedAnalysis> {
    const analysis = await RecordedAnalysis.open(verb);
    analysis.close();
    return analysis;
  }

  /** The same, with a server that goes on answering until it is closed. */
  static async open(verb: readonly string[]): Promise<RecordedAnalysis> {
    const folder = mkdtempSync(join(tmpdir(), "sidelight-analysis-"));
    const ends: (() => void)[] = [];
    const close = (): void => {
      for (const end of ends) end();
      rmSync(folder, { recursive: true, force: true });
    };
    try {
      const store = ["--store", join(folder, ".sidelight")];
      const [name = "", ...others] = verb;
      const made = JSON.parse(run([name, "--json", ...store, ...others])) as { profile: string };
      const { profile: directory } = made;
      const printed = JSON.parse(run(["summary", directory, "--json"])) as PrintedSummary;
      const printedText = run(["summary", directory]);
      const { server, connection } = await startServer(folder);
      ends.push(() => {
        connection.dispose();
        server.kill();
      });
      const request: AskedServer["request"] = (method, params) =>
        connection.sendRequest(method, params);
      const analysis = await request("sidelight/analysis", { directory });
      return new RecordedAnalysis(analysis, printed, printedText, { request }, close);
    } catch (error) {
      close();
      throw error;
    }
  }
}

function run(words: readonly string[], variables: Readonly<Record<string, string>> = {}): string {
  const [python, ...sidelight] = SIDELIGHT;
  return execFileSync(python, [...sidelight, ...words], {
    encoding: "utf8",
    // Plain text, whatever the test's own output is.
    env: { ...process.env, FORCE_COLOR: "", ...variables },
    stdio: ["ignore", "pipe", "ignore"],
  });
}
