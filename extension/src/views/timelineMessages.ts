// Messages from pages and links, checked before anything is done with them.

import { PAGE_COMMANDS } from "../../webview/page/commands";
import type { ColourBy, FromPage, ProfileRange } from "../../webview/timeline/messages";
import { parseView } from "../../webview/timeline/model/savedViews";
import type { Find, LineParams, TimelineMarker } from "../protocol";
import { fields, isLine, isNumber, isNumbers, isText, isTime, isWidth } from "./messageFields";
import { parsePicture } from "./pictures";
import type { SavedView } from "../../webview/timeline/model/savedViews";

const COLOURS: readonly ColourBy[] = ["category", "operator", "module", "file"];

/** The message; undefined where it is none that a page may send. */
export function parseFromPage(message: unknown): FromPage | undefined {
  const { type, request, directory, fromNs, toNs, width, event, uri, file, line, command } =
    fields(message);
  const { find, colourBy, tracks, groups, of, atNs, direction, view, format, content } =
    fields(message);
  switch (type) {
    case "ready":
      return { type };
    case "getWindow":
      return isNumber(request) &&
        isText(directory) &&
        isTime(fromNs) &&
        isTime(toNs) &&
        isWidth(width) &&
        (find === null || isFind(find)) &&
        isColourBy(colourBy)
        ? { type, request, directory, fromNs, toNs, width, find, colourBy }
        : undefined;
    case "getArea":
      return isNumber(request) &&
        isText(directory) &&
        isTime(fromNs) &&
        isTime(toNs) &&
        isNumbers(tracks)
        ? { type, request, directory, fromNs, toNs, tracks }
        : undefined;
    case "getMatch":
      return isNumber(request) &&
        isText(directory) &&
        isFind(find) &&
        (event === null || isNumber(event)) &&
        isTime(atNs) &&
        (direction === "next" || direction === "previous")
        ? { type, request, directory, find, event, atNs, direction }
        : undefined;
    case "getUtilisation":
      return isNumber(request) &&
        isText(directory) &&
        isTime(fromNs) &&
        isTime(toNs) &&
        isWidth(width) &&
        Array.isArray(groups) &&
        groups.every(isNumbers) &&
        (of === "run" || of === "view")
        ? { type, request, of, directory, fromNs, toNs, width, groups }
        : undefined;
    case "getCounters":
      return isNumber(request) &&
        isText(directory) &&
        isTime(fromNs) &&
        isTime(toNs) &&
        isWidth(width)
        ? { type, request, directory, fromNs, toNs, width }
        : undefined;
    case "changeMarkers": {
      const { removed, added } = fields(message);
      return isNumber(request) && isText(directory) && isMarkers(removed) && isMarkers(added)
        ? { type, request, directory, removed, added }
        : undefined;
    }
    case "copyView": {
      const parsed = parseView(view);
      return isText(directory) && parsed !== undefined
        ? { type, directory, view: parsed }
        : undefined;
    }
    case "savePicture": {
      const picture = parsePicture(format, content);
      return picture === undefined ? undefined : { type, ...picture };
    }
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
      const known = PAGE_COMMANDS.find((name) => name === command);
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

/** The stretch of time that an argument of "show timeline" names; undefined where it names none. */
export function parseRange(argument: unknown): ProfileRange | undefined {
  const { directory, fromNs, toNs } = fields(argument);
  return isText(directory) && isTime(fromNs) && isTime(toNs)
    ? { directory, fromNs, toNs }
    : undefined;
}

/** A view of a profile, as "Copy View" wrote it. */
export interface ProfileView {
  readonly directory: string;
  readonly view: SavedView;
}

/** The view that an argument of "show timeline" names; undefined where it names none. */
export function parseProfileView(argument: unknown): ProfileView | undefined {
  const { directory, view } = fields(argument);
  const parsed = parseView(view);
  return isText(directory) && parsed !== undefined ? { directory, view: parsed } : undefined;
}

function isFind(value: unknown): value is Find {
  const { text, file, line } = fields(value);
  const isOfLine = isText(file) && isLine(line);
  return (text === undefined || isText(text)) && (isOfLine || (file ?? line ?? null) === null);
}

function isMarkers(value: unknown): value is readonly TimelineMarker[] {
  const isMarker = (marker: unknown): boolean => {
    const { name, atNs } = fields(marker);
    return isText(name) && isTime(atNs);
  };
  return Array.isArray(value) && value.every(isMarker);
}

function isColourBy(value: unknown): value is ColourBy {
  return COLOURS.some((known) => known === value);
}
