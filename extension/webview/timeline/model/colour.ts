// Colours as numbers: made in OKLCH, where equal lightness looks equally light, mixed and compared
// in sRGB.

/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

export function oklch(lightness: number, chroma: number, hueDegrees: number): Rgb {
  const hue = (hueDegrees * Math.PI) / 180;
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encoded(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** `part` of one colour over the rest of another. */
export function mix(over: Rgb, under: Rgb, part: number): Rgb {
  const channel = (index: 0 | 1 | 2): number =>
    Math.round(over[index] * part + under[index] * (1 - part));
  return [channel(0), channel(1), channel(2)];
}

/** The contrast ratio of WCAG, 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

/** Black or white, whichever reads better on a colour: always at least 4.5 to 1. */
export function readableOn(background: Rgb): Rgb {
  return contrast(BLACK, background) >= contrast(WHITE, background) ? BLACK : WHITE;
}

export function css([red, green, blue]: Rgb): string {
  return `rgb(${red} ${green} ${blue})`;
}

/** Reads `#rrggbb`, `#rrggbbaa`, `rgb(…)` and `rgba(…)`, which is how a canvas spells any colour. */
export function parseCss(text: string): Rgb | undefined {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(text);
  if (hex !== null) {
    return [parseInt(hex[1] ?? "", 16), parseInt(hex[2] ?? "", 16), parseInt(hex[3] ?? "", 16)];
  }
  const [red, green, blue] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return text.startsWith("rgb") && red !== undefined && green !== undefined && blue !== undefined
    ? [red, green, blue]
    : undefined;
}

function encoded(linear: number): number {
  const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(Math.max(value, 0), 1) * 255);
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
