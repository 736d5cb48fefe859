// Profiles of a real program, and of public traces, summed up by the real server and command line.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import type { Overview } from "../../../../extension/src/documents";
import type { Analysis } from "../../../../extension/src/protocol";
import type { AnalysisAnswers } from "./openAnalysis";
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
  ) {}

  /**
   * Profiles or opens something, and has the server sum it up.
   *
   * @param verb What to do, such as `["profile", "--target", "fake", "examples/rmsnorm.py"]`.
   */
  static async of(verb: readonly string[]): Promise<RecordedAnalysis> {
    const folder = mkdtempSync(join(tmpdir(), "sidelight-analysis-"));
    try {
      const store = ["--store", join(folder, ".sidelight")];
      const [name = "", ...others] = verb;
      const made = JSON.parse(run([name, "--json", ...store, ...others])) as { profile: string };
      const { profile: directory } = made;
      const printed = JSON.parse(run(["summary", directory, "--json"])) as PrintedSummary;
      const printedText = run(["summary", directory]);
      const { server, connection } = await startServer(folder);
      try {
        const analysis = await connection.sendRequest<Analysis>("sidelight/analysis", {
          directory,
        });
        return new RecordedAnalysis(analysis, printed, printedText);
      } finally {
        connection.dispose();
        server.kill();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}

function run(words: readonly string[]): string {
  const [python, ...sidelight] = SIDELIGHT;
  return execFileSync(python, [...sidelight, ...words], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}
