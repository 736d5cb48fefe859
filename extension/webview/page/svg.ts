import { visible } from "../visibleText";

const NAMESPACE = "http://www.w3.org/2000/svg";

/** A part of a drawing, with attributes and children; strings become text on one line. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number>>,
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children.map((child) => (typeof child === "string" ? visible(child) : child)));
  return made;
}
