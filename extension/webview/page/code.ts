import { element } from "./dom";

/** A sentence in which names stand between backticks; these are set as code, and may wrap. */
export function withCode(sentence: string): HTMLElement {
  const parts = sentence.split("`");
  return element(
    "div",
    "wraps",
    ...parts.map((part, index) => (index % 2 === 1 ? element("code", "", part) : part)),
  );
}
