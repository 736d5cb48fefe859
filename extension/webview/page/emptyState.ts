import type { PageCommand } from "./commands";
import { button, element } from "./dom";

/** What stands where there is nothing to show: why, and the first steps. */
export function emptyState(
  title: string,
  message: string,
  run: (command: PageCommand) => void,
): HTMLElement {
  const step = (text: string, command: PageCommand, className: string): HTMLElement =>
    button(text, className, () => {
      run(command);
    });
  return element(
    "main",
    "empty",
    element("h1", "", title),
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
