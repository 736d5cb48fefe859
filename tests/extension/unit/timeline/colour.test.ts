import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  contrast,
  css,
  mix,
  oklch,
  parseCss,
  readableOn,
  type Rgb,
} from "../../../../extension/webview/timeline/model/colour";
import { Palette, type ThemeKind } from "../../../../extension/webview/timeline/model/palette";

const channel = fc.integer({ min: 0, max: 255 });
const rgb = fc.tuple(channel, channel, channel);
const CATEGORIES = ["operator", "source line", "device", "something new"];
const THEMES: readonly (readonly [ThemeKind, Rgb])[] = [
  ["dark", [31, 31, 31]],
  ["light", [255, 255, 255]],
  ["contrastDark", [0, 0, 0]],
  ["contrastLight", [255, 255, 255]],
];

describe("colours", () => {
  it("are converted as OKLCH defines", () => {
    expect(oklch(1, 0, 0)).toEqual([255, 255, 255]);
    expect(oklch(0, 0, 0)).toEqual([0, 0, 0]);
    expect(oklch(0.627955, 0.257683, 29.2339)).toEqual([255, 0, 0]);
  });

  it("can be written on, whatever they are", () => {
    fc.assert(
      fc.property(rgb, (colour) => {
        expect(contrast(readableOn(colour), colour)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  it("are read as they are written", () => {
    fc.assert(
      fc.property(rgb, (colour) => {
        expect(parseCss(css(colour))).toEqual(colour);
        expect(parseCss(`rgba(${colour.join(", ")}, 0.5)`)).toEqual(colour);
      }),
    );
    expect(parseCss("#1f2030")).toEqual([31, 32, 48]);
    expect(parseCss("hotpink")).toBeUndefined();
  });

  it("mix from one to the other", () => {
    expect(mix([200, 100, 0], [0, 0, 0], 0.5)).toEqual([100, 50, 0]);
  });
});

describe("the palette", () => {
  it.each(THEMES)(
    "gives every span of the %s theme a colour and a text to read on it",
    (kind, background) => {
      const palette = new Palette(CATEGORIES, kind, background);
      fc.assert(
        fc.property(
          fc.nat(300),
          fc.string(),
          fc.double({ min: 0, max: 1, noNaN: true }),
          (category, name, busy) => {
            const colour = palette.colourOf(category, name, busy);
            const fill = parseCss(palette.fills[colour] ?? "") ?? [0, 0, 0];
            const text = parseCss(palette.texts[colour] ?? "") ?? [0, 0, 0];
            expect(contrast(fill, text)).toBeGreaterThanOrEqual(4.5);
          },
        ),
      );
    },
  );

  it.each(THEMES)("sets full spans of the %s theme off from the background", (kind, background) => {
    const palette = new Palette(CATEGORIES, kind, background);
    for (const name of ["a", "b", "c", "d"]) {
      const colour = parseCss(palette.fills[palette.colourOf(0, name, 1)] ?? "") ?? background;
      expect(contrast(colour, background)).toBeGreaterThan(1.6);
    }
  });

  it("is paler the less of a span's time is taken up", () => {
    const palette = new Palette(CATEGORIES, "dark", [0, 0, 0]);
    const brightness = [0.1, 0.4, 0.6, 1].map((busy) =>
      (parseCss(palette.fills[palette.colourOf(0, "mul", busy)] ?? "") ?? []).reduce(
        (sum, value) => sum + value,
        0,
      ),
    );
    expect(brightness).toEqual(brightness.toSorted((a, b) => a - b));
    expect(new Set(brightness).size).toBe(4);
  });

  it("is the same for the same name, also made anew", () => {
    const [one, other] = [0, 1].map(() => new Palette(CATEGORIES, "light", [255, 255, 255]));
    expect(one?.colourOf(1, "model.py:12", 1)).toBe(other?.colourOf(1, "model.py:12", 1));
  });
});
