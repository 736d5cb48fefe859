import { button, element } from "./dom";

type Cell = Node | string;

/** A row: the first cell is what it is of. */
export type Row = readonly [Cell, ...Cell[]];

/** A column: what it is called, and whether it has figures, which are aligned to the right. */
export interface Column {
  readonly title: string;
  readonly isFigure?: boolean;
}

/** A table of figures; rows beyond `most` come with a button. */
export function figureTable(
  label: string,
  columns: readonly Column[],
  rows: readonly Row[],
  most = Infinity,
): HTMLElement {
  const heads = columns.map(({ title, isFigure }) => {
    const head = element("th", isFigure === true ? "figure" : "", title);
    head.scope = "col";
    return head;
  });
  const rowOf = ([first, ...others]: Row): HTMLElement => {
    const head = element("th", "", first);
    head.scope = "row";
    const cells = others.map((cell, index) =>
      element("td", columns[index + 1]?.isFigure === true ? "figure" : "", cell),
    );
    return element("tr", "", head, ...cells);
  };
  const body = element("tbody", "", ...rows.slice(0, most).map(rowOf));
  const table = element(
    "table",
    "figures",
    element("thead", "", element("tr", "", ...heads)),
    body,
  );
  table.setAttribute("aria-label", label);
  const scrolled = element("div", "scrolled", table);
  // What has to be scrolled must be reached by keyboard; what has not, need not.
  new ResizeObserver(() => {
    if (scrolled.scrollWidth > scrolled.clientWidth) scrolled.tabIndex = 0;
    else scrolled.removeAttribute("tabindex");
  }).observe(scrolled);
  const rest = rows.slice(most);
  if (rest.length === 0) return scrolled;
  const more = button(`Show ${rest.length.toLocaleString("en-US")} more`, "secondary", () => {
    const added = rest.map(rowOf);
    body.append(...added);
    more.remove();
    // What had the keyboard is gone: it goes on at what has come.
    const next = added[0]?.querySelector("button");
    next?.focus();
  });
  return element("div", "", scrolled, more);
}
