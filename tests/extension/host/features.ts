// The language features, asked for as the editor asks for them.

import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";

import * as vscode from "vscode";

import { sidelight } from "./contributions";

export function describeFeatures(): void {
  describe("in a Python file with a profile", () => {
    let document: vscode.TextDocument;

    before(async () => {
      const [script] = await vscode.workspace.findFiles("train.py");
      assert.ok(script);
      document = await vscode.workspace.openTextDocument(script);
      await vscode.window.showTextDocument(document);
      await sidelight().activate();
    });

    it("gives inlay hints at line ends", async () => {
      const hints = await until("inlay hints", async () => {
        const all = await execute<vscode.InlayHint[]>(
          "vscode.executeInlayHintProvider",
          document.uri,
          new vscode.Range(0, 0, document.lineCount, 0),
        );
        return all.filter((hint) => isOn(hint.position, "heavy ="));
      });
      assert.equal(hints.length, 1);
      const [hint] = hints;
      assert.match(labelText(hint), /^\d[\d.]* (ns|µs|ms) · [\d.]+ ?% · 1×$/);
      assert.equal(hint?.position.character, document.lineAt(hint?.position.line ?? 0).text.length);
    });

    it("gives a hover anywhere on the line", async () => {
      const line = lineOf("heavy =");
      for (const character of [10, 18]) {
        const hovers = await until("hover", () =>
          execute<vscode.Hover[]>(
            "vscode.executeHoverProvider",
            document.uri,
            new vscode.Position(line, character),
          ),
        );
        const text = hovers.flatMap((hover) => hover.contents.map(markdown)).join("\n");
        assert.match(text, /device time/);
        assert.match(text, /mm/, "the operators are named");
        assert.match(text, /command:sidelight\.showTimeline/);
      }
    });

    it("gives lenses on functions and classes", async () => {
      const lenses = await until("lenses", () =>
        execute<vscode.CodeLens[]>("vscode.executeCodeLensProvider", document.uri, 100),
      );
      const lines = lenses.map((lens) => document.lineAt(lens.range.start.line).text.trim());
      assert.ok(lines.includes("class Net(nn.Module):"), lines.join("; "));
      assert.ok(lines.includes("def forward(self, x):"), lines.join("; "));
    });

    it("follows an edit that was not saved", async () => {
      const before = lineOf("heavy =");
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), "# one\n# two\n");
      assert.ok(await vscode.workspace.applyEdit(edit));
      const hints = await until("moved hints", async () => {
        const all = await execute<vscode.InlayHint[]>(
          "vscode.executeInlayHintProvider",
          document.uri,
          new vscode.Range(0, 0, document.lineCount, 0),
        );
        return all.filter((hint) => hint.position.line === before + 2);
      });
      assert.equal(hints.length, 1);
    });

    function lineOf(text: string): number {
      return document.positionAt(document.getText().indexOf(text)).line;
    }

    function isOn(position: vscode.Position, text: string): boolean {
      return document.lineAt(position.line).text.includes(text);
    }
  });
}

function execute<T>(command: string, ...values: unknown[]): Thenable<T> {
  return vscode.commands.executeCommand<T>(command, ...values);
}

/** Asks again until there is something: the server starts after the extension. */
async function until<T>(what: string, ask: () => Thenable<readonly T[]>): Promise<readonly T[]> {
  const deadline = Date.now() + 240_000;
  for (;;) {
    const found = await ask();
    if (found.length > 0) {
      return found;
    }
    assert.ok(Date.now() < deadline, `no ${what} came`);
    await delay(100);
  }
}

function labelText(hint: vscode.InlayHint | undefined): string {
  const label = hint?.label ?? "";
  return (typeof label === "string" ? label : label.map((part) => part.value).join("")).trim();
}

function markdown(content: unknown): string {
  assert.ok(content instanceof vscode.MarkdownString);
  return content.value;
}
