// Messages from pages and links, checked before anything is done with them.

import type { FromPage, PageCommand } from "../../webview/messages";
import type { LineParams } from "../protocol";

const COMMANDS: readonly PageCommand[] = [
  "sidelight.profileOnTrainium",
  "sidelight.openProfile",
  "sidelight.selectProfile",
];
const MOST_PIXELS = 100_000;

/** The message; undefined where it is none that a page may send. */
export function parseFromPage(message: unknown): FromPage | undefined {
  const { type, request, directory, fromNs, toNs, width, event, uri, file, line, command } =
    fields(message);
  switch (type) {
    case "ready":
      return { type };
    case "getWindow":
      return isNumber(request) &&
        isText(directory) &&
        isTime(fromNs) &&
        isTime(toNs) &&
        isWidth(width)
        ? { type, request, directory, fromNs, toNs, width }
        : undefined;
    case "getDetails":
      return isNumber(request) && isText(directory) && isNumber(event)
        ? { type, request, directory, event }
        : undefined;
    case "choosePlace":
      return isText(directory) && isNumber(event) ? { type, directory, event } : undefined;
    case "reveal":
      return isText(uri) && isLine(line) ? { type, uri, line } : undefined;
    case "locate":
      return isText(directory) && isText(file) && isLine(line)
        ? { type, directory, file, line }
        : undefined;
    case "run": {
      const known = COMMANDS.find((name) => name === command);
      return known === undefined ? undefined : { type, command: known };
    }
    default:
      return undefined;
  }
}

/** The line a "show in timeline" link names; undefined where it names none. */
export function parseLine(argument: unknown): LineParams | undefined {
  const { directory, file, line } = fields(argument);
  return isText(directory) && isText(file) && isLine(line) ? { directory, file, line } : undefined;
}

function fields(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? value : {};
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: unknown): value is number {
  return Number.isInteger(value);
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isWidth(value: unknown): value is number {
  return isNumber(value) && value > 0 && value <= MOST_PIXELS;
}

function isLine(value: unknown): value is number {
  return isNumber(value) && value > 0;
}
