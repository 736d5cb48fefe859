// The `sidelight.*` settings, read where they are used so that a change counts at once. What the
// server alone reads (hints, lenses) goes there by itself and is not repeated here.

import * as vscode from "vscode";

import type { PricingParams } from "./protocol";
import { expandPath, expandProgram } from "./python/paths";
import type { SourceMapEntry } from "./sources/sourceMapEntry";

const WITHOUT_CHIP = ["virtual", "fake", "cpu"] as const;
const TARGETS = ["auto", "neuron", "neuron-xla", ...WITHOUT_CHIP] as const;

export type ProfileTarget = (typeof TARGETS)[number];

/** What a machine without a chip can profile on. */
export type TargetWithoutChip = (typeof WITHOUT_CHIP)[number];

/** What device times are predicted for. */
export interface PredictionSettings {
  /** Undefined where nothing is to be predicted that need not be. */
  readonly device: PricingParams["chip"] | undefined;
  /** Undefined where the chip's own default applies. */
  readonly lnc: number | undefined;
  readonly autoCast: NonNullable<PricingParams["autoCast"]>;
}

/** How "Profile on Trainium" runs a script, when nothing else was chosen for it. */
export interface ProfileSettings {
  readonly arguments: readonly string[];
  /** Absolute; undefined where the default applies. */
  readonly workingDirectory: string | undefined;
  readonly target: ProfileTarget;
  /** What `auto` stands for where there is no chip; undefined where that was never chosen. */
  readonly targetWithoutChip: TargetWithoutChip | undefined;
  readonly warmupSteps: number;
  readonly steps: number;
}

export function profileSettings(resource: vscode.Uri): ProfileSettings {
  const settings = vscode.workspace.getConfiguration("sidelight.profile", resource);
  return {
    arguments: words(settings.get<unknown>("arguments", [])),
    workingDirectory: directorySetting("profile.workingDirectory", resource),
    target: choice("profile.target", resource, TARGETS),
    targetWithoutChip: targetWithoutChip(resource),
    warmupSteps: settings.get<number>("warmupSteps", 3),
    steps: settings.get<number>("steps", 20),
  };
}

/** These choose figures and run nothing: a folder that is not trusted may set them. */
export function predictionSettings(resource: vscode.Uri): PredictionSettings {
  const chips = ["none", "trn1", "trn2", "trn3", "inf2"] as const;
  const device = choice("prediction.device", resource, chips);
  return {
    device: device === "none" ? undefined : device,
    lnc: choice("prediction.lnc", resource, [null, 1, 2]) ?? undefined,
    autoCast: choice("prediction.autoCast", resource, ["matmult", "all", "none"]),
  };
}

/** The interpreter for the user's script: a path, or a command that PATH knows. */
export function scriptInterpreter(resource: vscode.Uri | undefined): string | undefined {
  return programSetting("python.interpreter", resource);
}

/** Keeps the interpreter for the user's script. */
export async function setScriptInterpreter(resource: vscode.Uri, python: string): Promise<void> {
  await keep("python.interpreter", resource, python);
}

/** Keeps what scripts are profiled on where there is no chip. */
export async function setTargetWithoutChip(
  resource: vscode.Uri,
  target: TargetWithoutChip,
): Promise<void> {
  await keep("profile.targetWithoutChip", resource, target);
}

/** A Python that has the server installed; undefined where Sidelight makes its own. */
export function serverPython(): string | undefined {
  return programSetting("server.python", undefined);
}

/** A folder of wheels to install the server from, instead of an index. */
export function serverWheels(): string | undefined {
  return directorySetting("server.wheels", undefined);
}

export function heatEnabled(): boolean {
  return vscode.workspace.getConfiguration("sidelight.heat").get<boolean>("enabled", true);
}

/** Whether the timeline shows the executions of the line that the cursor is on. */
export function followsCursor(): boolean {
  return vscode.workspace
    .getConfiguration("sidelight.timeline")
    .get<boolean>("followCursor", false);
}

/** Keeps where a profile's files from elsewhere are here. */
export async function rememberSource({ there, here }: SourceMapEntry): Promise<void> {
  const settings = vscode.workspace.getConfiguration("sidelight");
  const target =
    vscode.workspace.workspaceFolders === undefined
      ? vscode.ConfigurationTarget.Global
      : vscode.ConfigurationTarget.Workspace;
  const known = settings.inspect<Record<string, unknown>>("sourceMap");
  const before =
    target === vscode.ConfigurationTarget.Global ? known?.globalValue : known?.workspaceValue;
  await settings.update("sourceMap", { ...before, [there]: here }, target);
}

/** Calls back when one of the settings changes; `names` as in `server.python`. */
export function onDidChangeSettings(
  names: readonly string[],
  changed: () => void,
): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (names.some((name) => event.affectsConfiguration(`sidelight.${name}`))) changed();
  });
}

function targetWithoutChip(resource: vscode.Uri): TargetWithoutChip | undefined {
  const chosen = choice("profile.targetWithoutChip", resource, ["ask", ...WITHOUT_CHIP]);
  return chosen === "ask" ? undefined : chosen;
}

/** Keeps a choice where it belongs: with the resource's folder, if it has one. */
async function keep(name: string, resource: vscode.Uri, value: string): Promise<void> {
  const target =
    vscode.workspace.getWorkspaceFolder(resource) === undefined
      ? vscode.ConfigurationTarget.Global
      : vscode.ConfigurationTarget.WorkspaceFolder;
  await vscode.workspace.getConfiguration("sidelight", resource).update(name, value, target);
}

/** A setting with few values, the first of which is the default. */
function choice<Value extends string | number | null>(
  name: string,
  resource: vscode.Uri,
  values: readonly [Value, ...Value[]],
): Value {
  const settings = vscode.workspace.getConfiguration("sidelight", resource);
  const chosen = settings.get<unknown>(name, values[0]);
  const known = values.find((value) => value === chosen);
  if (known !== undefined) return known;
  const names = values.map((value) => JSON.stringify(value)).join(", ");
  throw new Error(
    `The setting sidelight.${name} is ${JSON.stringify(chosen)}. It takes one of ${names}.`,
  );
}

function programSetting(name: string, resource: vscode.Uri | undefined): string | undefined {
  return pathSetting(name, resource, expandProgram);
}

function directorySetting(name: string, resource: vscode.Uri | undefined): string | undefined {
  return pathSetting(name, resource, expandPath);
}

function pathSetting(
  name: string,
  resource: vscode.Uri | undefined,
  expand: typeof expandPath,
): string | undefined {
  const settings = vscode.workspace.getConfiguration("sidelight", resource);
  const value = settings.get<unknown>(name, "");
  // Null stands for "none", though the editor marks it as another type.
  if (value === null || value === "") return undefined;
  if (typeof value !== "string") {
    throw new Error(`The setting sidelight.${name} is no text. Write a path there, or nothing.`);
  }
  const text = value.trim();
  if (text === "") return undefined;
  const folder =
    resource === undefined
      ? vscode.workspace.workspaceFolders?.[0]
      : vscode.workspace.getWorkspaceFolder(resource);
  return expand(text, folder?.uri.fsPath);
}

/** The editor marks a setting of another type and hands it out all the same. */
function words(setting: unknown): readonly string[] {
  if (Array.isArray(setting) && setting.every((word) => typeof word === "string")) return setting;
  throw new Error(
    "The setting sidelight.profile.arguments is no list of texts. Write one argument an item.",
  );
}
