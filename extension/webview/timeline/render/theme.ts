import { css, parseCss, readableOn, type Rgb } from "../model/colour";
import type { ThemeKind } from "../model/palette";

/** What the canvas takes from the editor's theme. */
export interface Theme {
  readonly kind: ThemeKind;
  readonly background: Rgb;
  readonly foreground: string;
  readonly muted: string;
  readonly line: string;
  readonly tint: string;
  /** What a person has put there: areas, markers, and how busy things are. */
  readonly accent: string;
  /** What is readable on it. */
  readonly onAccent: string;
  readonly font: string;
}

/** Reads the theme that is in force; `context` is only used to understand colours. */
export function readTheme(page: HTMLElement, context: CanvasRenderingContext2D): Theme {
  const style = getComputedStyle(page);
  const value = (name: string): string => style.getPropertyValue(name).trim();
  context.fillStyle = "#808080";
  context.fillStyle = style.backgroundColor;
  const background = parseCss(context.fillStyle) ?? [128, 128, 128];
  const accent = value("--focus");
  context.fillStyle = "#808080";
  context.fillStyle = accent;
  const onAccent = css(readableOn(parseCss(context.fillStyle) ?? [128, 128, 128]));
  return {
    accent,
    onAccent,
    kind: kindOf(page.classList),
    background,
    foreground: value("--foreground"),
    muted: value("--muted"),
    line: value("--line"),
    tint: value("--tint"),
    font: style.fontFamily,
  };
}

function kindOf(classes: DOMTokenList): ThemeKind {
  if (classes.contains("vscode-high-contrast-light")) {
    return "contrastLight";
  }
  if (classes.contains("vscode-high-contrast")) {
    return "contrastDark";
  }
  return classes.contains("vscode-light") ? "light" : "dark";
}
