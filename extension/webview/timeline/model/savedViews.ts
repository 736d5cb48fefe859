// What a page remembers of each profile it showed, so that a re-created one looks as it did.

import type { Range } from "./range";

export interface SavedView extends Range {
  readonly scrollTop: number;
  readonly event: number | null;
  readonly collapsed: readonly string[];
}

const MOST_KEPT = 8;

/** Views by profile directory, oldest first. */
export class SavedViews {
  private constructor(private readonly views: Map<string, SavedView>) {}

  /** Reads what `saved` gave; anything else is no views. */
  static from(state: unknown): SavedViews {
    const entries = Array.isArray(state) ? state.filter(isEntry) : [];
    return new SavedViews(new Map(entries));
  }

  of(directory: string): SavedView | undefined {
    return this.views.get(directory);
  }

  /** Remembers a view; returns what to keep. */
  saved(directory: string, view: SavedView): readonly (readonly [string, SavedView])[] {
    this.views.delete(directory);
    this.views.set(directory, view);
    for (const oldest of [...this.views.keys()].slice(0, -MOST_KEPT)) {
      this.views.delete(oldest);
    }
    return [...this.views];
  }
}

function isEntry(entry: unknown): entry is [string, SavedView] {
  return Array.isArray(entry) && typeof entry[0] === "string" && isView(entry[1]);
}

function isView(view: unknown): view is SavedView {
  if (typeof view !== "object" || view === null) {
    return false;
  }
  const { fromNs, toNs, scrollTop, event, collapsed } = view as Record<keyof SavedView, unknown>;
  return (
    [fromNs, toNs, scrollTop].every(Number.isFinite) &&
    (event === null || Number.isInteger(event)) &&
    Array.isArray(collapsed) &&
    collapsed.every((key) => typeof key === "string")
  );
}
