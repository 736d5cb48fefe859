// The rows of a table that were looked at: fetched in pages as they come into view, one at a time, so
// that what was scrolled past is never asked for.

import type { TablePage } from "../../src/documents";
import type { TableOrder } from "../../src/protocol";
import type { AnalysisAsking } from "../analysis/asking";
import type { Row } from "./cells";

const PAGE_ROWS = 200;
const MOST_PAGES = 50;

export class TableRows {
  /** What came with the first page; undefined until it is there. */
  head: TablePage | undefined;
  private readonly pages = new Map<number, readonly Row[]>();
  private wanted: readonly number[] = [];
  private isAsking = false;
  private isOver = false;

  /**
   * @param changed Called when rows have come.
   * @param failed Called with the reason why none do.
   */
  constructor(
    private readonly asking: AnalysisAsking,
    private readonly directory: string,
    readonly order: Required<TableOrder>,
    private readonly changed: () => void,
    private readonly failed: (reason: string) => void,
  ) {
    this.want(0, 1);
  }

  /** A row; undefined where it is not there yet. */
  at(row: number): Row | undefined {
    return this.pages.get(Math.floor(row / PAGE_ROWS))?.[row % PAGE_ROWS];
  }

  /** Fetches the rows from one to before another, if they are not there. */
  want(from: number, to: number): void {
    const first = Math.floor(Math.max(from, 0) / PAGE_ROWS);
    const last = Math.floor(Math.max(to - 1, 0) / PAGE_ROWS);
    this.wanted = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    void this.fetch();
  }

  /** Other rows take their place: what is still to come is of no use. */
  leave(): void {
    this.isOver = true;
  }

  private async fetch(): Promise<void> {
    const page = this.wanted.find((number) => !this.pages.has(number));
    if (this.isAsking || this.isOver || page === undefined) return;
    this.isAsking = true;
    try {
      const { directory, order } = this;
      const range = { first: page * PAGE_ROWS, count: PAGE_ROWS };
      const got = await this.asking.table({ directory, order, ...range });
      if (this.stopped()) return;
      this.keep(page, got);
      this.changed();
    } catch (error) {
      if (!this.stopped()) this.failed(error instanceof Error ? error.message : String(error));
      return;
    } finally {
      this.isAsking = false;
    }
    await this.fetch();
  }

  private stopped(): boolean {
    return this.isOver;
  }

  private keep(page: number, got: TablePage): void {
    this.head ??= got;
    this.pages.set(page, got.rows);
    for (const other of this.pages.keys()) {
      if (this.pages.size <= MOST_PAGES) break;
      if (!this.wanted.includes(other)) this.pages.delete(other);
    }
  }
}
