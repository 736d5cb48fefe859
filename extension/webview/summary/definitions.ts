// What figures mean, at hand beside each.

import type { Definition } from "../../src/documents";
import { disclosure } from "../page/disclosure";
import { element } from "../page/dom";

/** A figure's name, which shows what it means when it is pressed. */
export function definedName(
  name: string,
  definitions: readonly Definition[],
  defined = name,
): HTMLElement {
  const definition = definitions.find((each) => each.name === defined);
  if (definition === undefined) return element("span", "", name);
  const { title, text, formula, source } = definition;
  const meaning = element(
    "div",
    "definition",
    element("p", "", title === name ? text : `${capitalized(title)}. ${text}`),
    element("p", "formula", formula),
    element("p", "source", `Source: ${source}.`),
  );
  const opener = disclosure(name, meaning);
  opener.title = `What ${name} means`;
  return element("div", "defined", opener, meaning);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
