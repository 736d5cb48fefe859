import type { Timeline } from "../../../src/protocol";
import { button, element } from "./dom";

/** What the header's buttons do. */
export interface HeaderActions {
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly fit: () => void;
  /** What opens other parts: the data-quality report, the help. */
  readonly openers: readonly HTMLElement[];
}

/** The profile's name, its headline, and the view's buttons. */
export function header(timeline: Timeline, actions: HeaderActions): HTMLElement {
  // The headline is a sentence of its own elsewhere, and begins with the name.
  const prefix = `${timeline.name}: `;
  const rest = timeline.headline.startsWith(prefix)
    ? timeline.headline.slice(prefix.length)
    : timeline.headline;
  const headline = element("p", "headline", rest);
  headline.title = rest;
  const act = (text: string, title: string, onClick: () => void): HTMLElement =>
    button(text, "tool", onClick, title);
  const tools = element(
    "div",
    "tools",
    act("−", "Zoom out (S)", actions.zoomOut),
    act("+", "Zoom in (W)", actions.zoomIn),
    act("Fit", "Show everything (0)", actions.fit),
    ...actions.openers,
  );
  tools.setAttribute("role", "toolbar");
  tools.setAttribute("aria-label", "View");
  return element("header", "header", element("h1", "", timeline.name), headline, tools);
}
