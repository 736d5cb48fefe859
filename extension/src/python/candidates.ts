// The Pythons worth trying, in the order to try them.

/** Where a candidate comes from: those a person chose are named when they do not work. */
export type Source = "setting" | "Python extension" | "workspace" | "PATH";

export interface Candidate {
  /** A path, or a command that PATH knows. */
  readonly program: string;
  readonly source: Source;
}

export interface Findings {
  /** What the setting says. */
  readonly setting: string | undefined;
  /** What the Python extension has chosen. */
  readonly extensionChoice: string | undefined;
  /** The Pythons of the workspace folder's own environments. */
  readonly environments: readonly string[];
}

/** What may run a script. */
export function scriptCandidates(findings: Findings): Candidate[] {
  return ordered(findings, ["python3", "python"]);
}

/** What the server's environment may be made from: newer ones first where nobody chose. */
export function baseCandidates(findings: Findings): Candidate[] {
  const versions = [14, 13, 12, 11, 10].map((minor) => `python3.${minor}`);
  return ordered(findings, [...versions, "python3", "python"]);
}

function ordered(findings: Findings, commands: readonly string[]): Candidate[] {
  const { setting, extensionChoice, environments } = findings;
  const all: Candidate[] = [];
  if (setting !== undefined) all.push({ program: setting, source: "setting" });
  if (extensionChoice !== undefined) {
    all.push({ program: extensionChoice, source: "Python extension" });
  }
  all.push(...environments.map((program) => ({ program, source: "workspace" as const })));
  all.push(...commands.map((program) => ({ program, source: "PATH" as const })));
  const first = new Map<string, Candidate>();
  for (const candidate of all) {
    if (!first.has(candidate.program)) first.set(candidate.program, candidate);
  }
  return [...first.values()];
}
