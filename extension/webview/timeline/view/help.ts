import { element } from "../../page/dom";
import { Popover } from "../../page/popover";

const KEYS = [
  ["W, S", "zoom in, out"],
  ["A, D", "move left, right"],
  ["Arrows", "select another span; read a quantity, or how busy a folded group is"],
  ["Shift+Drag", "select an area and sum it up"],
  ["Shift+Arrows", "let the area reach to another span"],
  ["R", "sum up what is in view"],
  ["F", "zoom to the selected area or span"],
  ["0", "show everything"],
  ["Home, End", "go to the start, the end"],
  ["Enter, Ctrl+Click", "go to the source line"],
  ["/, Ctrl+F", "find events by name"],
  ["N, Shift+N", "go to the next match, the previous one"],
  ["[, ]", "go to what led here, to what this leads to"],
  ["M", "mark the moment"],
  ["Esc", "clear the area, then the selection"],
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

  /** @param entries What colours mean whenever they are asked for: more of them come up by and by. */
  show(entries: () => readonly LegendEntry[]): void {
    this.popover.onOpen = () => {
      this.fill(entries());
    };
    this.fill(entries());
  }

  private fill(entries: readonly LegendEntry[]): void {
    this.legend.replaceChildren(
      ...entries.map(({ colour, text }) => {
        const swatch = element("span", "swatch");
        swatch.style.backgroundColor = colour;
        return element("li", "", swatch, text);
      }),
    );
  }
}
