import { element } from "./dom";

/** A list to choose one of, with what it is for before it. */
export function choice<Value extends string>(
  label: string,
  options: readonly (readonly [Value, string])[],
  current: Value,
  chosen: (value: Value) => void,
): HTMLElement {
  const made = element("select", "choice");
  made.setAttribute("aria-label", label);
  made.title = label;
  for (const [value, text] of options) {
    const option = element("option", "", text);
    option.value = value;
    option.selected = value === current;
    made.append(option);
  }
  made.addEventListener("change", () => {
    const value = options[made.selectedIndex]?.[0];
    if (value !== undefined) chosen(value);
  });
  return made;
}
