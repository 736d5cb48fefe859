// Operators, lines, modules, kernels and tensors, one row each, as the server sorts, searches, groups
// and sums them.

import type { Column, TablePage } from "../../src/documents";
import type { TableOrder } from "../../src/protocol";
import type { Tab, TabContext } from "../analysis/tab";
import { element } from "../page/dom";
import { visible } from "../visibleText";
import { cellText, type Known, placeOf, type Row } from "./cells";
import { Grid } from "./grid";
import { HEADINGS } from "./gridKeys";
import { RowSelection } from "./rowSelection";
import { TABLES, type TableName } from "./tableKinds";
import { TableRows } from "./tableRows";
import { Toolbar } from "./toolbar";

type Order = Required<TableOrder>;

const OWN_ORDER = { sort: "", descending: true } as const;

export function tablesTab(context: TabContext): Tab {
  const tables = new Tables(context);
  return {
    root: tables.root,
    dispose: () => {
      tables.dispose();
    },
  };
}

class Tables {
  readonly root = element("div", "tables");
  private readonly selection = new RowSelection();
  private readonly grid: Grid;
  private readonly toolbar: Toolbar;
  private readonly status = element("p", "table-status");
  private readonly message = element("p", "table-message");
  private rows: TableRows;
  /** The columns of a table itself, not of its groups. */
  private columns: readonly Column[] = [];
  private isShown = false;

  constructor(private readonly context: TabContext) {
    this.status.setAttribute("role", "status");
    this.grid = new Grid(this.selection, {
      seen: (from, to) => {
        this.rows.want(from, to);
      },
      sort: this.sort,
      open: this.open,
      showOnTimeline: (row) => {
        const place = placeOf(this.rows.at(row));
        if (place !== undefined) context.showOnTimeline(place.file, place.line);
      },
      copy: this.copy,
      moved: () => {
        const { row } = this.grid.current;
        const hasPlace = row !== HEADINGS && placeOf(this.rows.at(row)) !== undefined;
        this.toolbar.offer(hasPlace, this.selection.size, this.rows.head?.total ?? 0);
      },
    });
    this.toolbar = new Toolbar("operators", {
      chooseTable: (table) => {
        this.load({ ...orderOf(table) });
      },
      find: (text) => {
        this.load({ ...this.rows.order, text });
      },
      group: this.group,
      leaveGroup: () => {
        const { order } = this.rows;
        const { within } = order;
        this.load({ ...order, ...OWN_ORDER, within: null, group: within?.column ?? "" });
        this.grid.root.focus();
      },
      goToLine: () => {
        this.open(this.grid.current.row);
      },
      showOnTimeline: () => {
        const place = placeOf(this.rows.at(this.grid.current.row));
        if (place !== undefined) context.showOnTimeline(place.file, place.line);
      },
      copy: this.copy,
      save: () => {
        context.saveRows(this.rows.order);
      },
    });
    this.root.append(this.toolbar.root, this.grid.root, this.message, this.status);
    this.message.hidden = true;
    this.rows = this.fetch(orderOf("operators"));
  }

  dispose(): void {
    this.rows.leave();
    this.toolbar.dispose();
    this.grid.dispose();
  }

  private load(order: Order): void {
    this.rows.leave();
    this.isShown = false;
    this.grid.root.setAttribute("aria-busy", "true");
    this.rows = this.fetch(order);
  }

  private fetch(order: Order): TableRows {
    const { asking, analysis } = this.context;
    return new TableRows(
      asking,
      analysis.directory,
      order,
      () => {
        if (this.isShown) this.grid.update();
        else this.show();
      },
      (reason) => {
        this.say(reason);
      },
    );
  }

  private show(): void {
    const { head, order } = this.rows;
    if (head === undefined) return;
    this.isShown = true;
    this.grid.root.removeAttribute("aria-busy");
    const { columns, total, sums, groups, time_kind: timeKind } = head;
    if (order.group === "") this.columns = columns;
    const known: Known = { timeKind, steps: this.context.analysis.steps };
    const { rows } = this;
    const textOf = (column: Column, row: Row): string => cellText(column, row, known);
    this.toolbar.show(order, this.columns, groups);
    this.say(total === 0 ? emptyText(order) : "");
    this.status.textContent = this.statusText(head);
    this.grid.show({
      label: TABLES[order.table].title,
      ...{ columns, total, sums, textOf, sort: order.sort, descending: order.descending },
      rowAt: (row) => rows.at(row),
      leads: (row) => order.group !== "" || placeOf(row) !== undefined,
    });
  }

  /** Says why there are no rows; an empty text says nothing. */
  private say(text: string): void {
    this.message.replaceChildren(visible(text));
    this.message.hidden = text === "";
    this.grid.root.hidden = text !== "";
    if (text !== "") this.toolbar.offer(false, 0, 0);
  }

  private statusText(head: TablePage): string {
    const { columns, total, sums, time_kind: kind, attribution } = head;
    const { group, text } = this.rows.order;
    const count = (amount: number, one: string): string =>
      `${amount.toLocaleString("en-US")} ${amount === 1 ? one : `${one}s`}`;
    const held = typeof sums["rows"] === "number" ? sums["rows"] : total;
    const found = text === "" ? "" : ` with “${text}”`;
    const shown = `${count(held, "row")}${found}`;
    const counted = group === "" ? shown : `${count(total, "group")} of ${shown}`;
    const { steps } = this.context.analysis;
    const isOfSteps = columns.some(({ per_step: perStep }) => perStep);
    const means = isOfSteps && steps > 1 ? [`means of ${steps.toLocaleString("en-US")} steps`] : [];
    const kinds = { measured: "measured", predicted: "≈ predicted", mixed: "≈ partly predicted" };
    const parts = {
      ...{ exact: [], apportioned: ["apportioned between lines"] },
      mixed: ["partly apportioned between lines"],
    };
    const times = isOfSteps ? [kinds[kind], ...parts[attribution]] : [];
    return [counted, ...means, ...times].join(" · ");
  }

  private readonly sort = ({ name, is_number: isNumber }: Column): void => {
    const { order } = this.rows;
    const first = isNumber;
    // As it is usually wanted first, then the other way, then as the table has it itself.
    const next =
      order.sort !== name
        ? { sort: name, descending: first }
        : order.descending === first
          ? { sort: name, descending: !first }
          : OWN_ORDER;
    this.load({ ...order, ...next });
  };

  private readonly open = (row: number): void => {
    const { order } = this.rows;
    const opened = this.rows.at(row);
    if (opened === undefined) return;
    if (order.group !== "") {
      const value = opened[order.group] ?? null;
      const within = { column: order.group, value: value === null ? null : String(value) };
      this.load({ ...order, ...OWN_ORDER, group: "", within });
      return;
    }
    const place = placeOf(opened);
    if (place !== undefined) this.context.goToLine(place.file, place.line);
  };

  private readonly group = (group: string): void => {
    const { order } = this.rows;
    // Most of what rows were sorted by is not there in groups.
    this.load({
      ...order,
      ...OWN_ORDER,
      group,
      within: null,
      ...sortOfGroups(this.columns, group),
    });
  };

  private readonly copy = (): void => {
    if (this.rows.head === undefined || this.rows.head.total === 0) return;
    const ranges = this.selection.size === 0 ? null : this.selection.ranges();
    this.context.copyRows(this.rows.order, ranges);
  };
}

function orderOf(table: TableName): Order {
  return { table, ...OWN_ORDER, text: "", group: "", within: null };
}

/** Groups with the largest sum first: of the first column that adds up. */
function sortOfGroups(columns: readonly Column[], group: string): Partial<Order> {
  const sum = columns.find(({ adds_up: addsUp }) => addsUp);
  return group === "" || sum === undefined ? {} : { sort: sum.name, descending: true };
}

function emptyText({ table, text, within }: Order): string {
  if (text !== "") return `No row has “${text}” in its texts. Clear the filter to see all rows.`;
  return within === null ? TABLES[table].empty : "No row is in this group.";
}
