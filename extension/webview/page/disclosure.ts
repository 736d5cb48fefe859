import { button } from "./dom";

let made = 0;

/** A button that shows what belongs to it, and hides it again. */
export function disclosure(text: string, content: HTMLElement): HTMLButtonElement {
  made += 1;
  content.id = `disclosed-${String(made)}`;
  const opener = button(text, "discloses", () => {
    open(content.hidden !== false);
  });
  opener.setAttribute("aria-controls", content.id);
  const open = (isOpen: boolean): void => {
    content.hidden = !isOpen;
    opener.setAttribute("aria-expanded", String(isOpen));
  };
  open(false);
  return opener;
}
