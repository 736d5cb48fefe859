import { element } from "../page/dom";

/** A part of a tab, under its heading. */
export function section(
  title: string,
  className: string,
  ...content: readonly (Node | string)[]
): HTMLElement {
  const made = element("section", `card ${className}`, element("h2", "", title), ...content);
  made.setAttribute("aria-label", title);
  return made;
}

/** What stands where a profile does not tell: why, and the next step. */
export function absent(title: string, className: string, ...sentences: readonly string[]) {
  return section(title, `${className} absent`, element("p", "note", sentences.join(" ")));
}
