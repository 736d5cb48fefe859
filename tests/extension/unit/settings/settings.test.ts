// The settings as the package declares them, and as the code reads them.

import { readFileSync } from "node:fs";

import { beforeEach, expect, test } from "vitest";
import { Uri } from "vscode";

import * as settings from "../../../../extension/src/settings";
import { setWorkspace } from "../vscode";

interface Declaration {
  readonly default: unknown;
  readonly enum?: readonly unknown[];
  readonly scope: string;
  readonly markdownDescription?: string;
}

interface Package {
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, Declaration>>;
    }[];
  };
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Package;
const declared = Object.assign(
  {},
  ...manifest.contributes.configuration.map(({ properties }) => properties),
) as Readonly<Record<string, Declaration>>;
const script = Uri.file("/folder/train.py") as never;

beforeEach(() => {
  setWorkspace({}, ["/folder"]);
});

test("what the code takes for unset is what is declared", () => {
  const read = settings.profileSettings(script);
  expect(read.arguments).toEqual(declared["sidelight.profile.arguments"]?.default);
  expect(read.target).toBe(declared["sidelight.profile.target"]?.default);
  expect(read.warmupSteps).toBe(declared["sidelight.profile.warmupSteps"]?.default);
  expect(read.steps).toBe(declared["sidelight.profile.steps"]?.default);
  expect(settings.heatEnabled()).toBe(declared["sidelight.heat.enabled"]?.default);
  expect(settings.followsCursor()).toBe(declared["sidelight.timeline.followCursor"]?.default);
  for (const name of ["profile.workingDirectory", "python.interpreter", "server.python"]) {
    expect(declared[`sidelight.${name}`]?.default).toBe("");
  }
  expect(read.workingDirectory).toBeUndefined();
  expect(settings.scriptInterpreter(script)).toBeUndefined();
  expect(settings.serverPython()).toBeUndefined();
  expect(settings.serverWheels()).toBeUndefined();
});

test("a script is profiled on any target that is declared, and on no other", () => {
  const { enum: values = [] } = declared["sidelight.profile.target"] ?? {};
  expect(values).toEqual(["auto", "neuron", "neuron-xla", "virtual", "fake", "cpu"]);
  for (const value of values) {
    setWorkspace({ "sidelight.profile.target": value }, ["/folder"]);
    expect(settings.profileSettings(script).target).toBe(value);
  }
  setWorkspace({ "sidelight.profile.target": "gpu" }, ["/folder"]);
  expect(() => settings.profileSettings(script)).toThrow(
    'The setting sidelight.profile.target is "gpu". It takes one of "auto", "neuron", ',
  );
});

test("what is profiled on without a chip is asked for, and what may be chosen is what is declared", () => {
  const { enum: values = [], default: usual } =
    declared["sidelight.profile.targetWithoutChip"] ?? {};
  expect(usual).toBe("ask");
  expect(settings.profileSettings(script).targetWithoutChip).toBeUndefined();
  expect(values).toEqual(["ask", "virtual", "fake", "cpu"]);
  for (const value of values.filter((value) => value !== "ask")) {
    setWorkspace({ "sidelight.profile.targetWithoutChip": value }, ["/folder"]);
    expect(settings.profileSettings(script).targetWithoutChip).toBe(value);
  }
  setWorkspace({ "sidelight.profile.targetWithoutChip": "gpu" }, ["/folder"]);
  expect(() => settings.profileSettings(script)).toThrow(
    'The setting sidelight.profile.targetWithoutChip is "gpu". It takes one of "ask", ',
  );
});

test("nothing is predicted by default, and what may be chosen is what is declared", () => {
  const { device, lnc, autoCast } = settings.predictionSettings(script);
  expect([device, lnc, autoCast]).toEqual([undefined, undefined, "matmult"]);
  expect(declared["sidelight.prediction.autoCast"]?.default).toBe("matmult");
  for (const name of ["device", "lnc", "autoCast"] as const) {
    const { enum: values = [], default: usual } = declared[`sidelight.prediction.${name}`] ?? {};
    expect(values).toContain(usual);
    expect(values.length).toBeGreaterThan(2);
    for (const value of values) {
      setWorkspace({ [`sidelight.prediction.${name}`]: value }, ["/folder"]);
      const read = settings.predictionSettings(script)[name];
      expect(read).toBe(
        value === null || (name === "device" && value === "none") ? undefined : value,
      );
    }
    setWorkspace({ [`sidelight.prediction.${name}`]: "trn9" }, ["/folder"]);
    expect(() => settings.predictionSettings(script)).toThrow(
      `The setting sidelight.prediction.${name} is "trn9". It takes one of `,
    );
  }
});

test("every setting is described, and a workspace without trust sets none that names programs", () => {
  const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
  for (const [name, declaration] of Object.entries(declared)) {
    expect(declaration.markdownDescription, name).toMatch(/\.$/);
    if (/^sidelight\.(python|server|profile\.(arguments|workingDirectory))/.test(name)) {
      expect(restricted).toContain(name);
    }
  }
  for (const name of restricted) expect(Object.keys(declared)).toContain(name);
});

test("paths are made absolute, commands are not", () => {
  setWorkspace(
    {
      "sidelight.python.interpreter": "  envs/torch/bin/python ",
      "sidelight.server.python": "python3.12",
      "sidelight.profile.workingDirectory": "${workspaceFolder}/runs",
      "sidelight.server.wheels": "wheels",
    },
    ["/folder"],
  );
  expect(settings.scriptInterpreter(script)).toBe("/folder/envs/torch/bin/python");
  expect(settings.serverPython()).toBe("python3.12");
  expect(settings.profileSettings(script).workingDirectory).toBe("/folder/runs");
  expect(settings.serverWheels()).toBe("/folder/wheels");
});

test("arguments of another type than declared are told, not taken apart", () => {
  for (const wrong of ["--epochs 1", [1], {}]) {
    setWorkspace({ "sidelight.profile.arguments": wrong }, ["/folder"]);
    expect(() => settings.profileSettings(script)).toThrow(/sidelight\.profile\.arguments/);
  }
});

test("a path of another type than declared is told, and null is none", () => {
  setWorkspace({ "sidelight.server.python": 7 }, ["/folder"]);
  expect(() => settings.serverPython()).toThrow(/sidelight\.server\.python/);
  setWorkspace({ "sidelight.server.python": null }, ["/folder"]);
  expect(settings.serverPython()).toBeUndefined();
});

test("a change is told to those who asked for that setting", () => {
  let changes = 0;
  const subscription = settings.onDidChangeSettings(["server.python"], () => (changes += 1));
  setWorkspace({ "sidelight.server.python": "/p" });
  setWorkspace({ "sidelight.heat.enabled": false });
  subscription.dispose();
  setWorkspace({ "sidelight.server.python": "/q" });
  expect(changes).toBe(1);
});
