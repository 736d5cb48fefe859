// What package.json promises is there, and what it must not do it does not.

import assert from "node:assert/strict";

import * as vscode from "vscode";

interface MenuEntry {
  readonly command?: string;
  readonly when?: string;
}

interface Manifest {
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: string;
      readonly restrictedConfigurations: readonly string[];
    };
    readonly virtualWorkspaces: unknown;
  };
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category?: string;
      readonly enablement?: string;
    }[];
    readonly configuration: Configuration | readonly Configuration[];
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
  };
  readonly extensionDependencies?: readonly string[];
  readonly extensionKind: readonly string[];
}

interface Configuration {
  readonly properties: Readonly<
    Record<
      string,
      {
        readonly description?: string;
        readonly markdownDescription?: string;
        readonly scope?: string;
      }
    >
  >;
}

/** What a person finds in the command palette. */
const PALETTE = [
  "sidelight.clearAnnotations",
  "sidelight.exportProfile",
  "sidelight.openProfile",
  "sidelight.profileOnTrainium",
  "sidelight.selectProfile",
  "sidelight.showAnalysis",
  "sidelight.showTimeline",
];

export function sidelight(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension("sidelight.sidelight");
  assert.ok(extension, "the extension is not there");
  return extension;
}

export function describeContributions(): void {
  const manifest = sidelight().packageJSON as Manifest;

  describe("package.json", () => {
    it("has every command it contributes", async () => {
      await sidelight().activate();
      const registered = new Set(await vscode.commands.getCommands(true));
      const missing = manifest.contributes.commands.filter((c) => !registered.has(c.command));
      assert.deepEqual(missing, []);
    });

    it("shows in the palette what people are to find there, and nothing else", () => {
      const hidden = new Set(
        (manifest.contributes.menus["commandPalette"] ?? [])
          .filter((entry) => entry.when === "false")
          .map((entry) => entry.command),
      );
      const shown = manifest.contributes.commands
        .map((entry) => entry.command)
        .filter((command) => !hidden.has(command));
      assert.deepEqual(shown.sort(), PALETTE);
    });

    it("explains every setting and says what it belongs to", () => {
      for (const [name, setting] of settings(manifest)) {
        assert.ok(setting.markdownDescription ?? setting.description, `${name} is not explained`);
        assert.ok(setting.scope, `${name} has no scope`);
      }
    });

    it("keeps an untrusted folder from naming programs", () => {
      const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
      assert.equal(supported, "limited");
      const named = [...settings(manifest).keys()].filter(
        (name) => /^sidelight\.(python|server|profile)\./.test(name) && !/steps$/i.test(name),
      );
      assert.ok(named.length >= 5);
      const runsNothing = ["sidelight.profile.target", "sidelight.profile.targetWithoutChip"];
      for (const name of named.filter((name) => !runsNothing.includes(name))) {
        assert.ok(restrictedConfigurations.includes(name), `${name} is not restricted`);
      }
    });

    it("needs no other extension, runs beside the files, and starts only where it is wanted", () => {
      assert.equal(manifest.extensionDependencies, undefined);
      assert.deepEqual(manifest.extensionKind, ["workspace"]);
      assert.notEqual(manifest.capabilities.virtualWorkspaces, undefined);
      assert.ok(manifest.activationEvents.includes("onLanguage:python"));
      assert.ok(manifest.activationEvents.some((event) => event.startsWith("workspaceContains:")));
      assert.ok(!manifest.activationEvents.includes("*"));
    });
  });
}

function settings(manifest: Manifest): Map<string, Configuration["properties"][string]> {
  const { configuration } = manifest.contributes;
  const sections = Array.isArray(configuration) ? configuration : [configuration];
  return new Map(sections.flatMap((section: Configuration) => Object.entries(section.properties)));
}
