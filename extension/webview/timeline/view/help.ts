import { element } from "./dom";
import { Popover } from "./popover";

const KEYS = [
  ["W, S", "zoom in, out"],
  ["A, D", "move left, right"],
  ["Arrows", "select another span"],
  ["F", "zoom to the selected span"],
  ["0", "show everything"],
  ["Home, End", "go to the start, the end"],
  ["Enter, Ctrl+Click", "go to the source line"],
  ["Esc", "clear the selection"],
  ["Ctrl+Wheel", "zoom at the pointer"],
  ["Shift+Wheel", "move left, right"],
] as const;

/** A colour, and the category it stands for. */
export interface LegendEntry {
  readonly colour: string;
  readonly text: string;
}

/** What colours mean and what keys do; hidden until asked for. */
export class Help {
  readonly popover: Popover;
  private readonly legend = element("ul", "legend");

  constructor() {
    const keys = element("dl", "keys");
    for (const [key, what] of KEYS) {
      keys.append(element("dt", "", key), element("dd", "", what));
    }
    this.popover = new Popover(
      "?",
      "Colours and keys",
      "help",
      element("h2", "", "Colours"),
      this.legend,
      element("p", "note", "The paler a merged span, the less of its time is taken up."),
      element("h2", "", "Keys"),
      keys,
    );
  }

  show(entries: readonly LegendEntry[]): void {
    this.legend.replaceChildren(
      ...entries.map(({ colour, text }) => {
        const swatch = element("span", "swatch");
        swatch.style.backgroundColor = colour;
        return element("li", "", swatch, text);
      }),
    );
  }
}
