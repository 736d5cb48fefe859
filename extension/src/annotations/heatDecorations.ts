// How warm lines look. The colours are the theme's to change; where contrast is high, a bar of
// growing width takes the place of the fill.

import * as vscode from "vscode";

import { type HeatLayers, WARM_LAYERS } from "./heatLayers";

const EDGE = new vscode.ThemeColor("sidelight.heatEdge");
/** From this layer on a line also stands in the overview ruler. */
const FIRST_IN_RULER = 2;

export class HeatDecorations implements vscode.Disposable {
  readonly #warm = Array.from({ length: WARM_LAYERS }, (_, layer) => warmType(layer));
  readonly #stale = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    ...leftBar("dashed", 2),
  });

  /** Draws the layers, in place of what was drawn before. */
  draw(editor: vscode.TextEditor, layers: HeatLayers): void {
    for (const [layer, type] of this.#warm.entries()) {
      editor.setDecorations(type, ranges(layers.warm[layer] ?? []));
    }
    editor.setDecorations(this.#stale, ranges(layers.stale));
  }

  dispose(): void {
    for (const type of [...this.#warm, this.#stale]) type.dispose();
  }
}

function warmType(layer: number): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor(`sidelight.heat${layer + 1}`),
    ...leftBar("solid", 1 + Math.ceil((3 * layer) / (WARM_LAYERS - 1))),
    ...(layer < FIRST_IN_RULER
      ? {}
      : { overviewRulerColor: EDGE, overviewRulerLane: vscode.OverviewRulerLane.Right }),
  });
}

function leftBar(style: "solid" | "dashed", widthPx: number): vscode.DecorationRenderOptions {
  return {
    borderColor: EDGE,
    borderStyle: `none none none ${style}`,
    borderWidth: `0 0 0 ${widthPx}px`,
  };
}

function ranges(lines: readonly number[]): vscode.Range[] {
  return lines.map((line) => new vscode.Range(line, 0, line, 0));
}
