// A pen that writes SVG: what a canvas would show, as text.

import type { Pen } from "./surface";

/** A colour that every viewer understands, and how opaque it is, 0 to 1. */
export interface PlainColour {
  readonly colour: string;
  readonly opacity: number;
}

/** What a pen cannot know by itself. */
export interface SvgContext {
  /** What a colour of the editor's theme is. */
  readonly plain: (colour: string) => PlainColour;
  /** How wide a text is in a font. */
  readonly measure: (text: string, font: string) => number;
}

interface State {
  readonly fillStyle: Pen["fillStyle"];
  readonly strokeStyle: Pen["strokeStyle"];
  readonly lineWidth: number;
  readonly globalAlpha: number;
  readonly font: string;
  readonly groups: number;
}

export class SvgPen implements Pen {
  fillStyle: Pen["fillStyle"] = "#000000";
  strokeStyle: Pen["strokeStyle"] = "#000000";
  lineWidth = 1;
  globalAlpha = 1;
  font = "11px sans-serif";
  textBaseline: CanvasTextBaseline = "middle";
  private readonly parts: string[] = [];
  private readonly states: State[] = [];
  private path = "";
  private groups = 0;
  private clips = 0;

  constructor(private readonly context: SvgContext) {}

  /** All that was drawn. */
  get elements(): string {
    return this.parts.join("\n");
  }

  save(): void {
    const { fillStyle, strokeStyle, lineWidth, globalAlpha, font, groups } = this;
    this.states.push({ fillStyle, strokeStyle, lineWidth, globalAlpha, font, groups });
  }

  restore(): void {
    const state = this.states.pop();
    if (state === undefined) return;
    for (; this.groups > state.groups; this.groups -= 1) this.parts.push("</g>");
    Object.assign(this, state);
  }

  beginPath(): void {
    this.path = "";
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.path += `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`;
  }

  moveTo(x: number, y: number): void {
    this.path += `M${short(x)} ${short(y)}`;
  }

  lineTo(x: number, y: number): void {
    this.path += `L${short(x)} ${short(y)}`;
  }

  bezierCurveTo(...points: readonly number[]): void {
    this.path += `C${points.map(short).join(" ")}`;
  }

  clip(): void {
    this.clips += 1;
    const id = `clip${this.clips}`;
    this.parts.push(`<clipPath id="${id}"><path d="${this.path}"/></clipPath>`);
    this.parts.push(`<g clip-path="url(#${id})">`);
    this.groups += 1;
  }

  fill(): void {
    if (this.path !== "") this.parts.push(`<path d="${this.path}"${this.filled()}/>`);
  }

  stroke(): void {
    if (this.path !== "") this.parts.push(`<path d="${this.path}"${this.stroked()}/>`);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.parts.push(`<rect${box(x, y, width, height)}${this.filled()}/>`);
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.parts.push(`<rect${box(x, y, width, height)}${this.stroked()}/>`);
  }

  fillText(text: string, x: number, y: number): void {
    const [size = "", ...family] = this.font.split(" ");
    const font = ` font-size="${escaped(size)}" font-family="${escaped(family.join(" "))}"`;
    const place = ` x="${short(x)}" y="${short(y)}" dominant-baseline="central"`;
    this.parts.push(`<text${place}${font}${this.filled()}>${escaped(text)}</text>`);
  }

  measureText(text: string): { readonly width: number } {
    return { width: this.context.measure(text, this.font) };
  }

  private filled(): string {
    return this.painted("fill", this.fillStyle);
  }

  private stroked(): string {
    return ` fill="none" stroke-width="${short(this.lineWidth)}"${this.painted("stroke", this.strokeStyle)}`;
  }

  private painted(what: "fill" | "stroke", style: Pen["fillStyle"]): string {
    const { colour, opacity } = this.context.plain(typeof style === "string" ? style : "none");
    const alpha = opacity * this.globalAlpha;
    return ` ${what}="${escaped(colour)}"${alpha < 1 ? ` ${what}-opacity="${short(alpha)}"` : ""}`;
  }
}

/** A whole file. */
export function svgFile(
  widthPx: number,
  heightPx: number,
  title: string,
  elements: string,
): string {
  const size = `width="${short(widthPx)}" height="${short(heightPx)}"`;
  const view = `viewBox="0 0 ${short(widthPx)} ${short(heightPx)}"`;
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${view}>`;
  return `${head}\n<title>${escaped(title)}</title>\n${elements}\n</svg>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Text as it may stand in XML; what may not stand there at all becomes �. */
export function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? "");
}

function box(x: number, y: number, width: number, height: number): string {
  return ` x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`;
}

/** A number in no more digits than can be seen. */
function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}
