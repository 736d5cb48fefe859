import type { Timeline } from "../../../src/protocol";
import { rankText } from "../../ranks";
import { button, element } from "../../page/dom";

/** What the header's buttons do. */
export interface HeaderActions {
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly fit: () => void;
  /** What opens other parts: the data-quality report, the help. */
  readonly openers: readonly HTMLElement[];
  /** What is looked for, and how things are grouped and coloured. */
  readonly choices: readonly HTMLElement[];
}

/** The profile's name, its headline, and the view's buttons. */
export function header(timeline: Timeline, actions: HeaderActions): HTMLElement {
  const rank = rankText(timeline);
  // The headline is a sentence of its own elsewhere, and begins with the name.
  const told = rank === "" ? timeline.name : `${timeline.name}#${timeline.rank} (${rank})`;
  const prefix = `${told}: `;
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
    act("Fit", "Fit: show everything (0)", actions.fit),
    ...actions.openers,
  );
  tools.setAttribute("role", "toolbar");
  tools.setAttribute("aria-label", "View");
  const ranks = rank === "" ? [] : [element("p", "rank", rank)];
  const choices = element("div", "choices", ...actions.choices);
  const name = element("h1", "", timeline.name);
  return element("header", "header", name, ...ranks, headline, choices, tools);
}
