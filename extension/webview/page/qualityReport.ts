import type { QualityNote } from "../../src/protocol";
import { element } from "./dom";
import { Popover } from "./popover";

const ORDER = ["error", "warning", "info"] as const;
const WORDS = {
  error: ["error", "errors"],
  warning: ["warning", "warnings"],
  info: ["note", "notes"],
} as const;
const SIGNS = { error: "✕", warning: "⚠", info: "i" } as const;

/** What is missing, repaired or suspicious about a profile; undefined where there is nothing. */
export function qualityReport(notes: readonly QualityNote[]): Popover | undefined {
  const worst = ORDER.find((severity) => notes.some((note) => note.severity === severity));
  if (worst === undefined) {
    return undefined;
  }
  const sorted = ORDER.flatMap((severity) => notes.filter((note) => note.severity === severity));
  const text = `${SIGNS[worst]} ${notes.length} ${notes.length === 1 ? "note" : "notes"}`;
  const title = `Data quality: ${counted(notes)}`;
  const popover = new Popover(
    text,
    title,
    "quality",
    element("h2", "", "Data quality"),
    element("ul", "notes", ...sorted.map(item)),
  );
  // The sign and the number are for the eye; the words beside them say the same.
  const seen = element("span", "", text);
  seen.setAttribute("aria-hidden", "true");
  popover.opener.removeAttribute("aria-label");
  popover.opener.replaceChildren(element("span", "unseen", title), seen);
  return popover;
}

function item({ code, severity, message, count }: QualityNote): HTMLElement {
  const sign = element("span", `sign ${severity}`, SIGNS[severity]);
  sign.title = severity;
  const times = count > 1 ? ` × ${count.toLocaleString("en-US")}` : "";
  return element("li", "", sign, element("p", "", message), element("code", "", code + times));
}

/** How many there are of each kind, the worst first. */
function counted(notes: readonly QualityNote[]): string {
  const parts = ORDER.map((severity) => {
    const count = notes.filter((note) => note.severity === severity).length;
    const [one, several] = WORDS[severity];
    return count === 0 ? "" : `${count} ${count === 1 ? one : several}`;
  });
  return parts.filter((part) => part !== "").join(", ");
}
