// Messages from the analysis' page, checked before anything is done with them.

import type { FromPage } from "../../webview/analysis/messages";
import { TAB_NAMES, type TabName } from "../../webview/analysis/tabNames";
import { PAGE_COMMANDS } from "../../webview/page/commands";
import { fields, isLine, isText, isTime } from "./messageFields";

/** The message; undefined where it is none that a page may send. */
export function parseFromAnalysis(message: unknown): FromPage | undefined {
  const { type, directory, file, line, fromNs, toNs, command } = fields(message);
  switch (type) {
    case "ready":
      return { type };
    case "goToLine":
    case "showOnTimeline":
      return isText(directory) && isText(file) && isLine(line)
        ? { type, directory, file, line }
        : undefined;
    case "showRange":
      return isText(directory) && isTime(fromNs) && isTime(toNs)
        ? { type, directory, fromNs, toNs }
        : undefined;
    case "run": {
      const known = PAGE_COMMANDS.find((name) => name === command);
      return known === undefined ? undefined : { type, command: known };
    }
    default:
      return undefined;
  }
}

/** The tab that an argument of "show analysis" names; undefined where it names none. */
export function parseTab(argument: unknown): TabName | undefined {
  const { tab } = fields(argument);
  return TAB_NAMES.find((name) => name === tab);
}
