// What is above a table: which one, what is looked for in it, by what it is grouped, and what can be
// done with its rows.

import type { Column } from "../../src/documents";
import type { TableOrder } from "../../src/protocol";
import { choice } from "../page/choice";
import { button, element } from "../page/dom";
import { TABLE_NAMES, TABLES, type TableName } from "./tableKinds";

const TYPING_MS = 200;

export interface ToolbarActions {
  readonly chooseTable: (table: TableName) => void;
  readonly find: (text: string) => void;
  readonly group: (column: string) => void;
  readonly leaveGroup: () => void;
  readonly goToLine: () => void;
  readonly showOnTimeline: () => void;
  readonly copy: () => void;
  readonly save: () => void;
}

export class Toolbar {
  readonly root = element("div", "table-tools");
  private readonly field = element("input", "field find");
  private readonly grouping = element("span", "grouping");
  private readonly within = element("span", "within");
  private readonly line: HTMLButtonElement;
  private readonly timeline: HTMLButtonElement;
  private readonly copy: HTMLButtonElement;
  private readonly save: HTMLButtonElement;
  private typing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    table: TableName,
    private readonly actions: ToolbarActions,
  ) {
    const tables = TABLE_NAMES.map((name) => [name, TABLES[name].title] as const);
    this.field.type = "search";
    this.field.placeholder = "Filter";
    this.field.setAttribute("aria-label", "Filter rows by their texts");
    this.field.addEventListener("input", () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => {
        actions.find(this.field.value);
      }, TYPING_MS);
    });
    this.line = button("Go to line", "tool", actions.goToLine);
    this.timeline = button("Show in timeline", "tool", actions.showOnTimeline);
    this.copy = button("Copy", "tool", actions.copy);
    this.save = button("CSV…", "tool", actions.save, "Save all of these rows as CSV");
    const places = element("span", "tools", this.line, this.timeline);
    const rows = element("span", "tools", this.copy, this.save);
    const shown = choice("Table", tables, table, actions.chooseTable);
    this.root.append(shown, this.field, this.grouping, this.within, places, rows);
  }

  /** Shows what is asked for, and by what rows can be grouped. */
  show(order: Required<TableOrder>, columns: readonly Column[], groups: readonly string[]): void {
    if (document.activeElement !== this.field) this.field.value = order.text;
    const titleOf = (name: string): string =>
      columns.find((column) => column.name === name)?.title ?? name;
    const offered = [
      ["", "No groups"] as const,
      ...groups.map((name) => [name, `By ${titleOf(name)}`] as const),
    ];
    const had = this.grouping.contains(document.activeElement);
    const made = choice("Group rows", offered, order.group, this.actions.group);
    this.grouping.replaceChildren(...(groups.length === 0 ? [] : [made]));
    if (had) made.focus();
    const { within } = order;
    const chip =
      within === null
        ? []
        : [
            button(
              `${titleOf(within.column)}: ${within.value ?? "unknown"} ×`,
              "tool chip",
              this.actions.leaveGroup,
              `Back to the groups by ${titleOf(within.column)}`,
            ),
          ];
    this.within.replaceChildren(...chip);
  }

  /** Says what can be done now. */
  offer(hasPlace: boolean, chosen: number, total: number): void {
    this.line.disabled = !hasPlace;
    this.timeline.disabled = !hasPlace;
    this.copy.disabled = total === 0;
    this.save.disabled = total === 0;
    const copied = chosen === 0 ? "all rows" : chosen === 1 ? "1 row" : `${chosen} rows`;
    this.copy.textContent = chosen === 0 ? "Copy all" : `Copy ${chosen.toLocaleString("en-US")}`;
    this.copy.setAttribute("aria-label", `Copy ${copied}`);
  }

  dispose(): void {
    clearTimeout(this.typing);
  }
}
