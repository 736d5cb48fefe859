import type { RowRange } from "../../src/protocol";

/** Which rows of a table are chosen, by their numbers. */
export class RowSelection {
  private readonly chosen = new Set<number>();
  /** Where a stretch of rows begins that is chosen next. */
  private anchor = 0;

  get size(): number {
    return this.chosen.size;
  }

  has(row: number): boolean {
    return this.chosen.has(row);
  }

  clear(): void {
    this.chosen.clear();
    this.anchor = 0;
  }

  /** Chooses one row, and no other. */
  only(row: number): void {
    this.chosen.clear();
    this.chosen.add(row);
    this.anchor = row;
  }

  toggle(row: number): void {
    if (!this.chosen.delete(row)) this.chosen.add(row);
    this.anchor = row;
  }

  /** Chooses the rows from the one that was chosen last to another, and no others. */
  extend(row: number): void {
    this.chosen.clear();
    const [from, to] = row < this.anchor ? [row, this.anchor] : [this.anchor, row];
    for (let each = from; each <= to; each += 1) this.chosen.add(each);
  }

  /** Where a stretch begins, if none was chosen before. */
  startAt(row: number): void {
    if (this.chosen.size === 0) this.anchor = row;
  }

  all(count: number): void {
    for (let row = 0; row < count; row += 1) this.chosen.add(row);
  }

  /** The rows in order, those that follow one another together. */
  ranges(): readonly RowRange[] {
    const found: { first: number; count: number }[] = [];
    for (const row of [...this.chosen].sort((one, other) => one - other)) {
      const last = found.at(-1);
      if (last !== undefined && last.first + last.count === row) last.count += 1;
      else found.push({ first: row, count: 1 });
    }
    return found;
  }
}
