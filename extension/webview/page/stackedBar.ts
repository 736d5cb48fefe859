import { element } from "./dom";

/** How a part is filled: colours that differ by pattern too, and an empty frame for what is left. */
export type Look = "first" | "second" | "third" | "fourth" | "fifth" | "host" | "rest";

/** The looks of parts that have none of their own. */
export const LOOKS: readonly Look[] = ["first", "second", "third", "fourth", "fifth"];

/** What is less than this part of the whole would be thinner than a pixel. */
const LEAST_SEEN = 0.0005;

/** A part of a whole. */
export interface BarPart {
  readonly name: string;
  readonly look: Look;
  /** How much; nothing where it is not known. */
  readonly amount: number;
  /** The same in words. */
  readonly text: string;
}

/** A bar that is divided into parts, in their order, in proportion. */
export function stackedBar(label: string, parts: readonly BarPart[]): HTMLElement {
  const told = parts.filter(({ amount }) => amount > 0);
  const whole = told.reduce((sum, { amount }) => sum + amount, 0);
  const seen = told.filter(({ amount }) => amount >= whole * LEAST_SEEN);
  const bar = element(
    "div",
    "stacked",
    ...seen.map(({ name, look, amount, text }) => {
      const part = element("span", `fill ${look}`);
      part.style.flexGrow = String(amount);
      part.title = `${name}: ${text}`;
      return part;
    }),
  );
  bar.setAttribute("role", "img");
  const words = told.map(({ name, text }) => `${name} ${text}`).join(", ");
  bar.setAttribute("aria-label", `${label}: ${words}`);
  return bar;
}

/** What a part is called, with how it is filled. */
export function partName(name: string, look: Look | undefined): HTMLElement {
  const swatch = element("span", look === undefined ? "swatch" : `swatch fill ${look}`);
  swatch.setAttribute("aria-hidden", "true");
  return element("span", "part-name", swatch, name);
}
