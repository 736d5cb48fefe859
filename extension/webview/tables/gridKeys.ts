// What keys do in a grid.

/** The row of headings, above the first. */
export const HEADINGS = -1;

export interface Cell {
  readonly row: number;
  readonly column: number;
}

/** How large the grid is: `page` is how many rows a page has. */
export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  readonly page: number;
}

export type Pressed =
  | { readonly type: "move"; readonly to: Cell; readonly extend: boolean }
  | { readonly type: "choose" | "chooseAll" | "copy" | "open" | "timeline" };

type Action = Exclude<Pressed["type"], "move">;

const ALONE = new Map<string, Action>([
  [" ", "choose"],
  ["Enter", "open"],
  ["t", "timeline"],
]);
const WITH_CONTROL = new Map<string, Action>([
  ["a", "chooseAll"],
  ["c", "copy"],
]);

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** What a key does at a cell; undefined where it is none of the grid's. */
export function pressed(event: Key, at: Cell, size: GridSize): Pressed | undefined {
  if (event.altKey) return undefined;
  const isControl = event.ctrlKey || event.metaKey;
  const to = isControl ? farMove(event.key, at, size) : move(event.key, at, size);
  if (to !== undefined) return { type: "move", to, extend: event.shiftKey };
  // Letters alike, whether capitals are locked or not.
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const type = (isControl ? WITH_CONTROL : ALONE).get(key);
  return type === undefined ? undefined : { type };
}

function move(key: string, { row, column }: Cell, { rows, columns, page }: GridSize) {
  const lastRow = rows - 1;
  const lastColumn = columns - 1;
  switch (key) {
    case "ArrowDown":
      return { row: Math.min(row + 1, lastRow), column };
    case "ArrowUp":
      return { row: Math.max(row - 1, HEADINGS), column };
    case "ArrowRight":
      return { row, column: Math.min(column + 1, lastColumn) };
    case "ArrowLeft":
      return { row, column: Math.max(column - 1, 0) };
    case "PageDown":
      return { row: Math.min(row + page, lastRow), column };
    case "PageUp":
      return { row: Math.max(row - page, Math.min(0, lastRow)), column };
    case "Home":
      return { row, column: 0 };
    case "End":
      return { row, column: lastColumn };
    default:
      return undefined;
  }
}

function farMove(key: string, { row, column }: Cell, { rows, columns }: GridSize) {
  const firstRow = Math.min(0, rows - 1);
  switch (key) {
    case "Home":
      return { row: firstRow, column: 0 };
    case "End":
      return { row: rows - 1, column: columns - 1 };
    case "ArrowUp":
      return { row: firstRow, column };
    case "ArrowDown":
      return { row: rows - 1, column };
    case "ArrowLeft":
      return { row, column: 0 };
    case "ArrowRight":
      return { row, column: columns - 1 };
    default:
      return undefined;
  }
}
