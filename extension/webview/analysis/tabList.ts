// The tabs as a row of buttons, by the pattern of the ARIA authoring practices: arrow keys move
// between them, and only the current one is in the order of Tab.

import { button, element } from "../page/dom";

export class TabList<Name extends string> {
  readonly root = element("div", "tabs");
  private readonly buttons = new Map<Name, HTMLButtonElement>();

  /**
   * @param panelId The id of the element that shows the current tab.
   * @param chosen Called with the tab that a person chose.
   */
  constructor(
    names: readonly Name[],
    titleOf: (name: Name) => string,
    private readonly panelId: string,
    private readonly chosen: (name: Name) => void,
  ) {
    this.root.setAttribute("role", "tablist");
    this.root.setAttribute("aria-label", "Analysis");
    for (const name of names) {
      const made = button(titleOf(name), "tab", () => {
        chosen(name);
      });
      made.id = `tab-${name}`;
      made.setAttribute("role", "tab");
      made.setAttribute("aria-controls", panelId);
      this.buttons.set(name, made);
      this.root.append(made);
    }
    this.root.addEventListener("keydown", this.move);
  }

  /** Marks the current tab. */
  show(current: Name): void {
    for (const [name, made] of this.buttons) {
      made.setAttribute("aria-selected", String(name === current));
      made.tabIndex = name === current ? 0 : -1;
    }
    document.getElementById(this.panelId)?.setAttribute("aria-labelledby", `tab-${current}`);
  }

  private readonly move = (event: KeyboardEvent): void => {
    const names = [...this.buttons.keys()];
    const at = names.findIndex((name) => this.buttons.get(name) === document.activeElement);
    const to = {
      ArrowRight: (at + 1) % names.length,
      ArrowLeft: (at + names.length - 1) % names.length,
      Home: 0,
      End: names.length - 1,
    }[event.key];
    const name = to === undefined ? undefined : names[to];
    if (name === undefined) return;
    event.preventDefault();
    this.chosen(name);
    this.buttons.get(name)?.focus();
  };
}
