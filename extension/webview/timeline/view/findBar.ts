import { button, element } from "../../page/dom";

export interface FindActions {
  readonly typed: (text: string) => void;
  readonly next: () => void;
  readonly previous: () => void;
  readonly clear: () => void;
}

/** Where to type what to look for, and what came of it. */
export class FindBar {
  readonly root: HTMLElement;
  private readonly input = element("input", "field find");
  private readonly result = element("span", "found");

  constructor(actions: FindActions) {
    this.input.type = "search";
    this.input.placeholder = "Find";
    this.input.setAttribute("aria-label", "Find events by name");
    this.input.addEventListener("input", () => {
      actions.typed(this.input.value);
    });
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        if (event.shiftKey) actions.previous();
        else actions.next();
      } else if (event.key === "Escape") {
        event.preventDefault();
        actions.clear();
      }
    });
    this.root = element(
      "div",
      "finding",
      this.input,
      this.result,
      button("↑", "tool", actions.previous, "Previous match (Shift+N)"),
      button("↓", "tool", actions.next, "Next match (N)"),
    );
    this.root.setAttribute("role", "search");
  }

  get text(): string {
    return this.input.value;
  }

  set text(text: string) {
    this.input.value = text;
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  /** Says how many were found, or why none. */
  show(result: string): void {
    this.result.textContent = result;
  }
}
