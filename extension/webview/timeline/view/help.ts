import { button, element } from "./dom";

const KEYS = [
  ["W, S", "zoom in, out"],
  ["A, D", "move left, right"],
  ["Arrows", "select another span"],
  ["F", "zoom to the selected span"],
  ["0", "show everything"],
  ["Home, End", "go to the start, the end"],
  ["Enter", "go to the source line"],
  ["Esc", "clear the selection"],
  ["Ctrl+Wheel", "zoom at the pointer"],
  ["Shift+Wheel", "move left, right"],
] as const;

/** A colour, and the category it stands for. */
export interface LegendEntry {
  readonly colour: string;
  readonly text: string;
}

const TITLE = "Colours and keys";

/** What colours mean and what keys do; hidden until asked for. */
export class Help {
  readonly root: HTMLElement;
  /** The button that shows it, and hides it. */
  readonly opener: HTMLElement;
  private readonly legend = element("ul", "legend");

  constructor() {
    this.opener = button("?", "tool", this.toggle, TITLE);
    const keys = element("dl", "keys");
    for (const [key, what] of KEYS) {
      keys.append(element("dt", "", key), element("dd", "", what));
    }
    this.root = element(
      "section",
      "help",
      button("×", "close", this.close, "Close"),
      element("h2", "", "Colours"),
      this.legend,
      element("p", "note", "The paler a merged span, the less of its time is taken up."),
      element("h2", "", "Keys"),
      keys,
    );
    this.root.setAttribute("aria-label", TITLE);
    this.open(false);
    // It lies over the details: who goes on with the timeline has read it.
    document.addEventListener("pointerdown", ({ target }) => {
      if (
        target instanceof Node &&
        ![this.root, this.opener].some((part) => part.contains(target))
      ) {
        this.open(false);
      }
    });
    for (const part of [this.root, this.opener]) {
      part.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && !this.root.hidden) {
          this.close();
        }
      });
    }
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

  private readonly toggle = (): void => {
    this.open(this.root.hidden !== false);
  };

  private readonly close = (): void => {
    this.open(false);
    // What had the keyboard is hidden now.
    this.opener.focus();
  };

  private open(isOpen: boolean): void {
    this.root.hidden = !isOpen;
    this.opener.setAttribute("aria-expanded", String(isOpen));
  }
}
