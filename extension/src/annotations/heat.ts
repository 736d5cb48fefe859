// Warm lines in the editors: asked for when they may have changed, drawn at once where known.

import * as vscode from "vscode";

import type { Services } from "../services";
import { heatEnabled, onDidChangeSettings } from "../settings";
import { HeatDecorations } from "./heatDecorations";
import { type HeatLayers, heatLayers } from "./heatLayers";

const DEBOUNCE_MS = 80;
const NOTHING: HeatLayers = heatLayers([]);

export function registerHeat(services: Services): HeatInEditors {
  return new HeatInEditors(services);
}

interface KnownHeat {
  readonly version: number;
  readonly layers: HeatLayers;
}

/** Keeps the editors' lines warm. */
export class HeatInEditors implements vscode.Disposable {
  readonly #services: Services;
  readonly #decorations = new HeatDecorations();
  /** By document: what was drawn last, so that an editor that comes back has it at once. */
  readonly #known = new Map<string, KnownHeat>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #subscriptions: vscode.Disposable;

  constructor(services: Services) {
    this.#services = services;
    const { server } = services;
    const askForAll = (): void => {
      for (const { document } of vscode.window.visibleTextEditors) this.#askSoon(document.uri);
    };
    this.#subscriptions = vscode.Disposable.from(
      server.onNotification("sidelight/annotationsChanged", ({ uri }) => {
        this.#askSoon(vscode.Uri.parse(uri));
      }),
      server.onNotification("sidelight/shownChanged", askForAll),
      server.onDidStart(askForAll),
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const editor of editors) this.#drawKnown(editor);
        askForAll();
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#known.delete(uri.toString());
      }),
      onDidChangeSettings(["heat"], askForAll),
    );
    askForAll();
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#subscriptions.dispose();
    this.#decorations.dispose();
  }

  #askSoon(uri: vscode.Uri): void {
    const key = uri.toString();
    clearTimeout(this.#timers.get(key));
    const ask = (): void => {
      this.#timers.delete(key);
      for (const editor of editorsOf(key)) void this.#ask(editor);
    };
    this.#timers.set(key, setTimeout(ask, DEBOUNCE_MS));
  }

  async #ask(editor: vscode.TextEditor): Promise<void> {
    const { document } = editor;
    if (document.languageId !== "python") return;
    const version = document.version;
    const layers = heatEnabled() ? await this.#layersOf(document.uri) : NOTHING;
    if (document.isClosed) return;
    // Typed into meanwhile: these lines are no longer where they were.
    if (document.version !== version) {
      this.#askSoon(document.uri);
      return;
    }
    this.#known.set(document.uri.toString(), { version, layers });
    this.#decorations.draw(editor, layers);
  }

  async #layersOf(uri: vscode.Uri): Promise<HeatLayers> {
    try {
      const { lines } = await this.#services.server.requestIfStarted("sidelight/heat", {
        uri: uri.toString(),
      });
      return heatLayers(lines);
    } catch {
      // A server that is not there shows nothing; its status says why.
      return NOTHING;
    }
  }

  #drawKnown(editor: vscode.TextEditor): void {
    const known = this.#known.get(editor.document.uri.toString());
    if (known?.version === editor.document.version) this.#decorations.draw(editor, known.layers);
  }
}

function editorsOf(key: string): vscode.TextEditor[] {
  return vscode.window.visibleTextEditors.filter(({ document }) => document.uri.toString() === key);
}
