// What a page remembers of each profile it showed, so that a re-created one looks as it did.

import type { Range } from "./range";

/** A moment that a person has named. */
export interface Marker {
  readonly name: string;
  readonly atNs: number;
}

export interface SavedView extends Range {
  readonly scrollTop: number;
  readonly event: number | null;
  readonly collapsed: readonly string[];
  /** How tracks are grouped. */
  readonly grouping?: string;
  /** What spans are coloured by. */
  readonly colouring?: string;
  /** What is looked for. */
  readonly find?: string;
  readonly markers?: readonly Marker[];
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
  return Array.isArray(entry) && typeof entry[0] === "string" && parseView(entry[1]) !== undefined;
}

/** The view that a value is, without anything else it has; undefined if it is none. */
export function parseView(value: unknown): SavedView | undefined {
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  const view = value as Record<keyof SavedView, unknown>;
  const { fromNs, toNs, scrollTop, event, collapsed, grouping, colouring, find, markers } = view;
  if (
    !isNumber(fromNs) ||
    !isNumber(toNs) ||
    !isNumber(scrollTop) ||
    !(event === null || Number.isInteger(event)) ||
    !Array.isArray(collapsed) ||
    !collapsed.every(isText)
  ) {
    return undefined;
  }
  return {
    fromNs,
    toNs,
    scrollTop,
    event: event as number | null,
    collapsed,
    // What older pages did not keep.
    ...(isText(grouping) ? { grouping } : {}),
    ...(isText(colouring) ? { colouring } : {}),
    ...(isText(find) ? { find } : {}),
    ...(Array.isArray(markers) ? { markers: markers.filter(isMarker) } : {}),
  };
}

function isMarker(value: unknown): value is Marker {
  const { name, atNs } = (value ?? {}) as Partial<Record<keyof Marker, unknown>>;
  return isText(name) && Number.isSafeInteger(atNs);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
