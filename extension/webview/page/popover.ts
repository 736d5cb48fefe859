import { button, element } from "./dom";

/** A section that lies over the timeline, hidden until its button is pressed. */
export class Popover {
  readonly root: HTMLElement;
  /** The button that shows it, and hides it. */
  readonly opener: HTMLElement;
  /** Called before it is shown. */
  onOpen: () => void = () => undefined;

  /**
   * @param text What the button says.
   * @param title What it is called.
   */
  constructor(text: string, title: string, className: string, ...content: readonly Node[]) {
    this.opener = button(text, "tool", this.toggle, title);
    this.root = element(
      "section",
      `popover ${className}`,
      button("×", "close", this.close, "Close"),
      ...content,
    );
    this.root.setAttribute("aria-label", title);
    this.open(false);
    for (const part of [this.root, this.opener]) {
      part.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && !this.root.hidden) {
          this.close();
        }
      });
    }
  }

  private readonly toggle = (): void => {
    if (this.root.hidden !== false) this.onOpen();
    this.open(this.root.hidden !== false);
  };

  /** Hides it, and gives its button the keyboard. */
  readonly close = (): void => {
    this.open(false);
    // What had the keyboard is hidden now.
    this.opener.focus();
  };

  /** It lies over the details: who goes on with the timeline has read it. */
  private readonly pressed = ({ target }: Event): void => {
    if (target instanceof Node && ![this.root, this.opener].some((part) => part.contains(target))) {
      this.open(false);
    }
  };

  private open(isOpen: boolean): void {
    this.root.hidden = !isOpen;
    // Only while it is open: the document outlives what a page shows of a profile.
    if (isOpen) document.addEventListener("pointerdown", this.pressed);
    else document.removeEventListener("pointerdown", this.pressed);
    this.opener.setAttribute("aria-expanded", String(isOpen));
  }
}
