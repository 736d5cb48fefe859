import { visible } from "../visibleText";

/** An element with a class and children; strings become text on one line, whatever they hold. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...children.map((child) => (typeof child === "string" ? visible(child) : child)));
  return made;
}

/** A button that says what it does; `title` explains one whose text is short. */
export function button(text: string, className: string, onClick: () => void, title = "") {
  const made = element("button", className, text);
  made.type = "button";
  if (title !== "") {
    made.title = title;
    made.setAttribute("aria-label", title);
  }
  made.addEventListener("click", onClick);
  return made;
}
