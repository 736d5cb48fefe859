import { deltas } from "../model/markers";
import type { Marker } from "../model/savedViews";
import { button, element } from "../../page/dom";
import { Popover } from "../../page/popover";
import { MarkerItem, type MarkerItemActions } from "./markerItem";

export interface MarkerActions extends MarkerItemActions {
  readonly add: () => void;
  readonly focusBetween: () => void;
}

/** The markers with the time from each to the next; hidden until asked for. */
export class MarkerList {
  readonly popover: Popover;
  private readonly list = element("ol", "markers");
  private readonly problem = element("p", "problem");
  private readonly add: HTMLButtonElement;
  private readonly focus: HTMLButtonElement;
  /** By their moments: what has the keyboard keeps it while others come and go. */
  private readonly items = new Map<string, MarkerItem>();

  constructor(
    private readonly predicted: boolean,
    private readonly actions: MarkerActions,
  ) {
    this.add = button("Add a Marker", "secondary", actions.add, "Add a marker (M)");
    this.focus = button("Focus Between Markers", "secondary", actions.focusBetween);
    this.problem.setAttribute("role", "alert");
    this.popover = new Popover(
      "⚑",
      "Markers",
      "marking",
      element("h2", "", "Markers"),
      this.list,
      this.problem,
      element("div", "actions", this.add, this.focus),
    );
    this.show([]);
  }

  show(markers: readonly Marker[]): void {
    const gaps = deltas(markers);
    const keys = keysOf(markers);
    const { list, items } = this;
    const focused = [...items].findIndex(([, { root }]) => root.contains(document.activeElement));
    for (const [key, item] of items) {
      if (keys.includes(key)) continue;
      item.root.remove();
      items.delete(key);
    }
    const before = new Map(items);
    items.clear();
    markers.forEach((marker, index) => {
      const key = keys[index] ?? "";
      const item = before.get(key) ?? new MarkerItem(marker, this.predicted, this.actions);
      item.show(marker, gaps[index]);
      items.set(key, item);
      const there = list.children[index] ?? null;
      if (there !== item.root) list.insertBefore(item.root, there);
    });
    this.focus.disabled = markers.length < 2;
    if (focused >= 0 && !list.contains(document.activeElement)) this.focusNear(focused);
  }

  /** Says why the profile could not keep them, or be asked for them; empty where it could. */
  showProblem(message: string): void {
    this.problem.textContent = message;
  }

  /** The marker that had the keyboard is gone: the one in its place takes it, or the last. */
  private focusNear(index: number): void {
    const items = [...this.items.values()];
    const near = items[index] ?? items.at(-1);
    if (near === undefined) this.add.focus();
    else near.focusRemove();
  }
}

/** What tells markers apart whatever they are called: their moments, and which of that moment's. */
function keysOf(markers: readonly Marker[]): readonly string[] {
  const met = new Map<number, number>();
  return markers.map(({ atNs }) => {
    const number = met.get(atNs) ?? 0;
    met.set(atNs, number + 1);
    return `${atNs} ${number}`;
  });
}
