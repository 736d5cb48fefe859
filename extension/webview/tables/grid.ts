// A table of any length, of which only the rows in view are in the document: a grid by the pattern of
// the ARIA authoring practices. The grid itself has the focus, and says which of its cells is current.

import type { Column } from "../../src/documents";
import { element } from "../page/dom";
import { type Row, UNKNOWN } from "./cells";
import { columnWidths } from "./columnWidths";
import { type Cell, HEADINGS, pressed } from "./gridKeys";
import type { RowSelection } from "./rowSelection";

/** As in the style sheet. */
export const ROW_PX = 24;
const AROUND_ROWS = 6;

/** What a grid shows. */
export interface GridContent {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly total: number;
  readonly sums: Row;
  /** By which column rows are sorted; empty for their own order. */
  readonly sort: string;
  readonly descending: boolean;
  readonly rowAt: (row: number) => Row | undefined;
  readonly textOf: (column: Column, row: Row) => string;
  /** Whether Enter leads from a row to somewhere. */
  readonly leads: (row: Row) => boolean;
}

export interface GridActions {
  /** Rows came into view, from one to before another. */
  readonly seen: (from: number, to: number) => void;
  readonly sort: (column: Column) => void;
  readonly open: (row: number) => void;
  readonly showOnTimeline: (row: number) => void;
  readonly copy: () => void;
  /** The current row or the chosen ones are others now. */
  readonly moved: () => void;
}

export class Grid {
  readonly root = element("div", "grid");
  current: Cell = { row: 0, column: 0 };
  private readonly head = element("div", "grid-head");
  private readonly body = element("div", "grid-body");
  private readonly foot = element("div", "grid-foot");
  private readonly observer: ResizeObserver;
  private readonly made = new Map<number, HTMLElement>();
  private content: GridContent | undefined;
  private widths: readonly number[] = [];

  constructor(
    private readonly selection: RowSelection,
    private readonly actions: GridActions,
  ) {
    this.root.setAttribute("role", "grid");
    this.root.setAttribute("aria-multiselectable", "true");
    this.root.tabIndex = 0;
    for (const part of [this.head, this.body, this.foot]) part.setAttribute("role", "rowgroup");
    this.root.append(this.head, this.body, this.foot);
    this.root.addEventListener("scroll", () => {
      this.fill();
    });
    this.root.addEventListener("keydown", this.press);
    this.root.addEventListener("click", this.click);
    this.observer = new ResizeObserver(() => {
      this.measure();
      this.fill();
    });
    this.observer.observe(this.root);
  }

  dispose(): void {
    this.observer.disconnect();
  }

  /** Shows a table from its top. */
  show(content: GridContent): void {
    const isOther = this.content?.label !== content.label;
    this.content = content;
    this.selection.clear();
    const column = isOther ? 0 : Math.min(this.current.column, content.columns.length - 1);
    this.current = { row: this.current.row === HEADINGS && !isOther ? HEADINGS : 0, column };
    this.root.scrollTop = 0;
    if (isOther) this.root.scrollLeft = 0;
    this.root.setAttribute("aria-label", content.label);
    this.root.setAttribute("aria-rowcount", String(content.total + 2));
    this.root.setAttribute("aria-colcount", String(content.columns.length));
    this.body.style.height = `${content.total * ROW_PX}px`;
    this.measure();
    this.update();
  }

  /** Draws anew what is in view: rows have come, or are chosen. */
  update(): void {
    for (const row of this.made.values()) row.remove();
    this.made.clear();
    const { content } = this;
    if (content === undefined) return;
    this.head.replaceChildren(this.headings(content));
    this.foot.replaceChildren(this.sumsRow(content));
    this.fill();
    this.actions.moved();
  }

  private readonly press = (event: KeyboardEvent): void => {
    const { content } = this;
    if (content === undefined) return;
    const page = Math.max(1, Math.floor(this.viewPx() / ROW_PX) - 1);
    const done = pressed(event, this.current, {
      ...{ rows: content.total, columns: content.columns.length, page },
    });
    if (done === undefined) return;
    event.preventDefault();
    const { row, column } = this.current;
    switch (done.type) {
      case "move":
        this.move(done.to, done.extend);
        break;
      case "choose":
        if (row !== HEADINGS) this.selection.toggle(row);
        this.update();
        break;
      case "chooseAll":
        this.selection.all(content.total);
        this.update();
        break;
      case "copy":
        this.actions.copy();
        break;
      case "timeline":
        if (row !== HEADINGS) this.actions.showOnTimeline(row);
        break;
      case "open": {
        const heading = content.columns[column];
        if (row !== HEADINGS) this.actions.open(row);
        else if (heading !== undefined) this.actions.sort(heading);
        break;
      }
    }
  };

  private readonly click = (event: MouseEvent): void => {
    const target = event.target instanceof Element ? event.target : undefined;
    const cell = target?.closest<HTMLElement>("[data-column]");
    const column = Number(cell?.dataset["column"] ?? NaN);
    const heading = this.content?.columns[column];
    if (cell === null || cell === undefined || heading === undefined) return;
    const row = Number(cell.dataset["row"]);
    this.current = { row, column };
    if (row === HEADINGS) {
      this.actions.sort(heading);
      return;
    }
    if (event.shiftKey) this.selection.extend(row);
    else if (event.ctrlKey || event.metaKey) this.selection.toggle(row);
    else this.selection.only(row);
    this.update();
    if (target?.matches(".leads") === true) this.actions.open(row);
  };

  private move(to: Cell, extend: boolean): void {
    if (extend && to.row !== HEADINGS) {
      this.selection.startAt(Math.max(this.current.row, 0));
      this.selection.extend(to.row);
    }
    this.current = to;
    this.bringIntoView();
    this.update();
  }

  private bringIntoView(): void {
    const { row, column } = this.current;
    const top = row * ROW_PX;
    if (row !== HEADINGS) {
      const bottom = top + ROW_PX - this.viewPx();
      this.root.scrollTop = Math.max(Math.min(this.root.scrollTop, top), bottom);
    }
    if (column === 0) return;
    const [name = 0] = this.widths;
    const left = this.widths.slice(0, column).reduce((sum, width) => sum + width, 0);
    const right = left + (this.widths[column] ?? 0) - this.root.clientWidth;
    this.root.scrollLeft = Math.max(Math.min(this.root.scrollLeft, left - name), right);
  }

  /** How much of the rows is in view. */
  private viewPx(): number {
    return Math.max(ROW_PX, this.root.clientHeight - 2 * ROW_PX);
  }

  private measure(): void {
    const { content } = this;
    if (content === undefined) return;
    const rows = Array.from({ length: Math.min(content.total, 200) }, (_, row) =>
      content.rowAt(row),
    ).filter((row) => row !== undefined);
    const texts = content.columns.map((column) => ({
      isNumber: column.is_number,
      texts: [
        `${column.title} ▾`,
        ...[...rows, content.sums].map((row) => content.textOf(column, row)),
      ],
    }));
    this.widths = columnWidths(texts, this.root.clientWidth);
    const tracks = this.widths.map((width) => `${width}px`).join(" ");
    this.root.style.setProperty("--columns", tracks);
    const whole = this.widths.reduce((sum, width) => sum + width, 0);
    this.root.style.setProperty("--whole", `${whole}px`);
  }

  /** Makes the rows that are in view, and takes those away that are not. */
  private fill(): void {
    const { content } = this;
    if (content === undefined || this.root.clientHeight === 0) return;
    const top = Math.floor(this.root.scrollTop / ROW_PX);
    const count = Math.ceil(this.viewPx() / ROW_PX);
    const from = Math.max(0, top - AROUND_ROWS);
    const to = Math.min(content.total, top + count + AROUND_ROWS);
    for (const [row, shown] of this.made) {
      if (row >= from && row < to) continue;
      shown.remove();
      this.made.delete(row);
    }
    for (let row = from; row < to; row += 1) {
      if (!this.made.has(row)) this.add(content, row);
    }
    this.showCurrent();
    this.actions.seen(from, to);
  }

  private add(content: GridContent, number: number): void {
    const row = content.rowAt(number);
    const cells = content.columns.map((column, index) => {
      const text = row === undefined ? "…" : content.textOf(column, row);
      const leads = index === 0 && row !== undefined && content.leads(row);
      const cell = this.cell(column, { row: number, column: index }, text, leads ? "leads" : "");
      cell.setAttribute("role", index === 0 ? "rowheader" : "gridcell");
      return cell;
    });
    const made = rowOf(cells, number + 2);
    made.setAttribute("aria-selected", String(this.selection.has(number)));
    made.style.top = `${number * ROW_PX}px`;
    this.made.set(number, made);
    const next = [...this.made.keys()].filter((other) => other > number).sort((a, b) => a - b)[0];
    this.body.insertBefore(made, next === undefined ? null : (this.made.get(next) ?? null));
  }

  private headings(content: GridContent): HTMLElement {
    const cells = content.columns.map((column, index) => {
      const isSorted = column.name === content.sort;
      const sign = content.descending ? " ▾" : " ▴";
      const text = isSorted ? `${column.title}${sign}` : column.title;
      const cell = this.cell(column, { row: HEADINGS, column: index }, text, "");
      cell.setAttribute("role", "columnheader");
      cell.setAttribute("aria-label", `${column.title}: ${column.description}`);
      const order = content.descending ? "descending" : "ascending";
      cell.setAttribute("aria-sort", isSorted ? order : "none");
      cell.title = column.description;
      return cell;
    });
    return rowOf(cells, 1);
  }

  private sumsRow(content: GridContent): HTMLElement {
    const cells = content.columns.map((column, index) => {
      const isKnown = (content.sums[column.name] ?? null) !== null;
      const text =
        index === 0 ? "all of these" : isKnown ? content.textOf(column, content.sums) : "";
      const cell = element("div", column.is_number ? "cell number" : "cell", text);
      cell.setAttribute("role", index === 0 ? "rowheader" : "gridcell");
      cell.setAttribute("aria-colindex", String(index + 1));
      return cell;
    });
    return rowOf(cells, content.total + 2);
  }

  private cell(column: Column, { row, column: index }: Cell, text: string, className: string) {
    const inner = element("span", className, text);
    const cell = element("div", column.is_number ? "cell number" : "cell", inner);
    cell.id = `cell-${row}-${index}`;
    cell.dataset["row"] = String(row);
    cell.dataset["column"] = String(index);
    cell.setAttribute("aria-colindex", String(index + 1));
    if (text === UNKNOWN) cell.setAttribute("aria-label", "unknown");
    else if (!column.is_number) cell.title = text;
    return cell;
  }

  private showCurrent(): void {
    for (const shown of this.root.querySelectorAll(".current")) shown.classList.remove("current");
    const { row, column } = this.current;
    const cell = this.root.querySelector(`[id="cell-${row}-${column}"]`);
    cell?.classList.add("current");
    if (cell === null) this.root.removeAttribute("aria-activedescendant");
    else this.root.setAttribute("aria-activedescendant", cell.id);
  }
}

function rowOf(cells: readonly HTMLElement[], index: number): HTMLElement {
  const row = element("div", "grid-row", ...cells);
  row.setAttribute("role", "row");
  row.setAttribute("aria-rowindex", String(index));
  return row;
}
