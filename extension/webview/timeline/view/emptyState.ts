import type { PageCommand } from "../../messages";
import { button, element } from "./dom";

/** What stands where there is no timeline: why, and the first steps. */
export function emptyState(message: string, run: (command: PageCommand) => void): HTMLElement {
  const step = (text: string, command: PageCommand, className: string): HTMLElement =>
    button(text, className, () => {
      run(command);
    });
  return element(
    "main",
    "empty",
    element("h1", "", "No timeline yet"),
    element("p", "", message),
    element(
      "div",
      "actions",
      step("Profile on Trainium", "sidelight.profileOnTrainium", "primary"),
      step("Open Profile…", "sidelight.openProfile", "secondary"),
      step("Select Profile", "sidelight.selectProfile", "secondary"),
    ),
  );
}
