import { button, element } from "../../page/dom";

export const LOADING = "Loading… A large profile takes a while at first.";

/** The line over an unfinished timeline: that it is loading, or why it is not. */
export class Status {
  readonly root = element("div", "status");
  private shown = "";

  constructor(private readonly retry: () => void) {
    this.root.setAttribute("role", "status");
    this.root.hidden = true;
  }

  /** Shows a problem with a way to try again, or that something is loading, or nothing. */
  show(problem: string | undefined, isLoading: boolean): void {
    const text = problem ?? (isLoading ? LOADING : "");
    if (text === this.shown) {
      return;
    }
    this.shown = text;
    this.root.hidden = text === "";
    this.root.replaceChildren(text);
    if (problem !== undefined) {
      this.root.append(button("Try Again", "secondary", this.retry));
    }
  }
}
