// Messages from the analysis' page, checked before anything is done with them.

import type { FromPage } from "../../webview/analysis/messages";
import { TAB_NAMES, type TabName } from "../../webview/analysis/tabNames";
import { PAGE_COMMANDS } from "../../webview/page/commands";
import type { GroupMember, RowRange, TableOrder } from "../protocol";
import { fields, isCount, isLine, isNumber, isText, isTime } from "./messageFields";

const TABLES: readonly TableOrder["table"][] = [
  "operators",
  "lines",
  "modules",
  "kernels",
  "tensors",
];

/** The message; undefined where it is none that a page may send. */
export function parseFromAnalysis(message: unknown): FromPage | undefined {
  const { type, directory, file, line, fromNs, toNs, command } = fields(message);
  const { request, order, first, count, ranges, graph, text } = fields(message);
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
    case "getTable": {
      const wanted = parseOrder(order);
      return isNumber(request) &&
        isText(directory) &&
        wanted !== undefined &&
        isCount(first) &&
        isCount(count)
        ? { type, request, directory, order: wanted, first, count }
        : undefined;
    }
    case "copyRows": {
      const wanted = parseOrder(order);
      const chosen = ranges === null ? null : parseRanges(ranges);
      return isText(directory) && wanted !== undefined && chosen !== undefined
        ? { type, directory, order: wanted, ranges: chosen }
        : undefined;
    }
    case "saveRows": {
      const wanted = parseOrder(order);
      return isText(directory) && wanted !== undefined
        ? { type, directory, order: wanted }
        : undefined;
    }
    case "getFlameMatch":
      return isNumber(request) &&
        isText(directory) &&
        (graph === "by_line" || graph === "by_module") &&
        isText(text)
        ? { type, request, directory, graph, text }
        : undefined;
    case "chooseBaseline":
      return isNumber(request) && isText(directory) ? { type, request, directory } : undefined;
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

function parseOrder(value: unknown): Required<TableOrder> | undefined {
  const { table, sort, descending, text, group, within } = fields(value);
  const known = TABLES.find((name) => name === table);
  const member = within === null ? null : parseMember(within);
  return known !== undefined &&
    isText(sort) &&
    typeof descending === "boolean" &&
    isText(text) &&
    isText(group) &&
    member !== undefined
    ? { table: known, sort, descending, text, group, within: member }
    : undefined;
}

function parseMember(within: unknown): GroupMember | undefined {
  const { column, value } = fields(within);
  return isText(column) && (value === null || isText(value)) ? { column, value } : undefined;
}

function parseRanges(value: unknown): readonly RowRange[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const parsed = value.map((range): RowRange | undefined => {
    const { first, count } = fields(range);
    return isCount(first) && isCount(count) ? { first, count } : undefined;
  });
  return parsed.every((range) => range !== undefined) ? parsed : undefined;
}
