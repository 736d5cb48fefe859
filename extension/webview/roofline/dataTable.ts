import { element } from "../page/dom";

/** A column of a table. */
export interface DataColumn {
  readonly title: string;
  /** What it says, where the title does not. */
  readonly description?: string;
  readonly isNumber?: boolean;
}

/** A table that scrolls sideways where it has no room; its first column stays in view. */
export function dataTable(
  caption: string,
  columns: readonly DataColumn[],
  rows: readonly (readonly (Node | string)[])[],
): HTMLElement {
  const head = columns.map(({ title, description = "", isNumber = false }) => {
    const cell = element("th", isNumber ? "number" : "", title);
    cell.scope = "col";
    cell.title = description;
    return cell;
  });
  const body = rows.map((cells) =>
    element(
      "tr",
      "",
      ...cells.map((content, column) => {
        const className = columns[column]?.isNumber === true ? "number" : "";
        const cell = element(column === 0 ? "th" : "td", className, content);
        if (cell instanceof HTMLTableCellElement && column === 0) cell.scope = "row";
        return cell;
      }),
    ),
  );
  const table = element(
    "table",
    "",
    element("caption", "", caption),
    element("thead", "", element("tr", "", ...head)),
    element("tbody", "", ...body),
  );
  const root = element("div", "data-table", table);
  root.tabIndex = 0;
  root.setAttribute("role", "region");
  root.setAttribute("aria-label", caption);
  return root;
}
