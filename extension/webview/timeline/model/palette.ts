// Which colour a span has: a hue for its category, a shade for its name, and paler the less of a
// merged span's time events take up. There are few colours, so that spans of one are drawn together.

import { css, mix, oklch, readableOn, type Rgb } from "./colour";

export type ThemeKind = "dark" | "light" | "contrastDark" | "contrastLight";

interface Hue {
  readonly degrees: number;
  readonly chroma: number;
  /** Added to the theme's lightness: hues that colour-blind people confuse differ in it. */
  readonly lighter: number;
}

/** The category of a user's source line. */
export const SOURCE_LINE = "source line";

const HUES: Readonly<Record<string, Hue>> = {
  operator: { degrees: 245, chroma: 0.095, lighter: 0 },
  [SOURCE_LINE]: { degrees: 80, chroma: 0.12, lighter: 0.08 },
  annotation: { degrees: 330, chroma: 0.08, lighter: 0 },
  step: { degrees: 250, chroma: 0.015, lighter: 0 },
  "Python function": { degrees: 295, chroma: 0.09, lighter: -0.04 },
  "runtime call": { degrees: 45, chroma: 0.11, lighter: -0.04 },
  device: { degrees: 168, chroma: 0.1, lighter: 0.04 },
  engine: { degrees: 145, chroma: 0.09, lighter: 0.02 },
  "compiled operator": { degrees: 268, chroma: 0.09, lighter: -0.02 },
  "operator on the host": { degrees: 225, chroma: 0.07, lighter: 0.02 },
  "device driver": { degrees: 196, chroma: 0.08, lighter: 0 },
  module: { degrees: 100, chroma: 0.06, lighter: -0.02 },
  "device runtime": { degrees: 20, chroma: 0.1, lighter: 0 },
};
const OTHER: Hue = { degrees: 250, chroma: 0.02, lighter: 0 };

const LIGHTNESS: Readonly<Record<ThemeKind, number>> = {
  dark: 0.66,
  light: 0.76,
  contrastDark: 0.78,
  contrastLight: 0.62,
};
/** Turns of the hue and steps of lightness that set names of one category apart. */
const SHADES = [
  [0, 0],
  [14, -0.05],
  [-14, 0.05],
  [-8, -0.08],
] as const;
/** How much of the colour is left where a merged span's time is least and most taken up. */
const STRENGTHS = [0.4, 0.6, 0.8, 1] as const;

const COLOURS_A_CATEGORY = SHADES.length * STRENGTHS.length;

/**
 * Hues for what has none of its own. Neighbours differ in lightness too, so that those who see one
 * hue as another tell them apart.
 */
const KEY_HUES: readonly Hue[] = [
  { degrees: 250, chroma: 0.13, lighter: -0.14 },
  { degrees: 85, chroma: 0.15, lighter: 0.1 },
  { degrees: 165, chroma: 0.11, lighter: -0.02 },
  { degrees: 40, chroma: 0.15, lighter: -0.1 },
  { degrees: 235, chroma: 0.09, lighter: 0.12 },
  { degrees: 340, chroma: 0.12, lighter: 0 },
  { degrees: 110, chroma: 0.16, lighter: 0.16 },
  { degrees: 300, chroma: 0.13, lighter: -0.2 },
];

/** All colours spans can have under a theme. */
export class Palette {
  /** By colour number: what to fill spans with. */
  readonly fills: readonly string[];
  /** By colour number: what to write on them with. */
  readonly texts: readonly string[];

  /** @param keys The numbers of the hues that keys have taken: they keep them in other themes. */
  constructor(
    private readonly categories: readonly string[],
    kind: ThemeKind,
    background: Rgb,
    private readonly keys = new Map<string, number>(),
  ) {
    const strengths = (colour: Rgb): Rgb[] =>
      STRENGTHS.map((strength) => mix(colour, background, strength));
    const colours = [
      ...categories.flatMap((category) =>
        SHADES.flatMap((_, shade) => strengths(shaded(category, shade, kind))),
      ),
      ...[OTHER, ...KEY_HUES].flatMap(({ degrees, chroma, lighter }) =>
        strengths(oklch(LIGHTNESS[kind] + lighter, chroma, degrees)),
      ),
    ];
    this.fills = colours.map(css);
    this.texts = colours.map((colour) => css(readableOn(colour)));
  }

  /** The colour number of a span. */
  colourOf(category: number, name: string, busyShare: number): number {
    const known = Math.min(category, this.categories.length - 1);
    const strength = Math.min(STRENGTHS.length - 1, Math.floor(busyShare * STRENGTHS.length));
    return known * COLOURS_A_CATEGORY + shadeOf(name) * STRENGTHS.length + strength;
  }

  /** The colour number of a span that is coloured by a key; an empty one is none. */
  keyedColourOf(key: string, busyShare: number): number {
    let number = this.keys.get(key);
    if (number === undefined) {
      number = key === "" ? 0 : 1 + (this.keys.size % KEY_HUES.length);
      if (key !== "") this.keys.set(key, number);
    }
    const strength = Math.min(STRENGTHS.length - 1, Math.floor(busyShare * STRENGTHS.length));
    return this.categories.length * COLOURS_A_CATEGORY + number * STRENGTHS.length + strength;
  }

  /** What stands for the keys that came up so far in the legend. */
  keySwatches(): readonly { readonly colour: string; readonly text: string }[] {
    return [...this.keys.keys()].map((text) => ({
      colour: this.fills[this.keyedColourOf(text, 1)] ?? "",
      text,
    }));
  }

  /** What stands for a category in the legend. */
  swatch(category: number): string {
    return this.fills[category * COLOURS_A_CATEGORY + STRENGTHS.length - 1] ?? "";
  }
}

function shaded(category: string, shade: number, kind: ThemeKind): Rgb {
  const hue = HUES[category] ?? OTHER;
  const [turn, lighter] = SHADES[shade] ?? SHADES[0];
  return oklch(LIGHTNESS[kind] + hue.lighter + lighter, hue.chroma, hue.degrees + turn);
}

const shadesByName = new Map<string, number>();

/** The same for the same name, always. */
function shadeOf(name: string): number {
  let shade = shadesByName.get(name);
  if (shade === undefined) {
    let hash = 0;
    for (let index = 0; index < name.length; index += 1) {
      hash = (Math.imul(hash, 31) + name.charCodeAt(index)) | 0;
    }
    shade = Math.abs(hash) % SHADES.length;
    shadesByName.set(name, shade);
  }
  return shade;
}
