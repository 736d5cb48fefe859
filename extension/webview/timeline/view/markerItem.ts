import { duration } from "../../units";
import type { Marker } from "../model/savedViews";
import { button, element } from "../../page/dom";

/** As the server takes it. */
const LONGEST_NAME = 1_000;

export interface MarkerItemActions {
  readonly goTo: (marker: Marker) => void;
  readonly rename: (marker: Marker, name: string) => void;
  readonly remove: (marker: Marker) => void;
}

/** A marker in the list: its name, the way to it, and how long after the one before it is. */
export class MarkerItem {
  readonly root: HTMLElement;
  private readonly name = element("input", "field");
  private readonly goTo: HTMLButtonElement;
  private readonly gap = element("span", "part");
  private readonly remove: HTMLButtonElement;

  constructor(
    private marker: Marker,
    private readonly predicted: boolean,
    actions: MarkerItemActions,
  ) {
    this.name.maxLength = LONGEST_NAME;
    this.name.addEventListener("change", () => {
      const name = this.name.value.trim();
      // Without a name there is nothing to call it by: it keeps the one it has.
      if (name === "") this.name.value = this.marker.name;
      else actions.rename(this.marker, name);
    });
    this.goTo = button(duration(marker.atNs, predicted), "place", () => {
      actions.goTo(this.marker);
    });
    this.remove = button("×", "tool", () => {
      actions.remove(this.marker);
    });
    this.root = element("li", "", this.name, this.goTo, this.gap, this.remove);
    this.call(marker.name);
  }

  /** @param gapNs How far it is from the one before it; undefined for the first. */
  show(marker: Marker, gapNs: number | undefined): void {
    // A name that somebody is about to change is theirs for as long as nobody else changes it.
    if (marker.name !== this.marker.name) this.call(marker.name);
    this.marker = marker;
    this.gap.textContent = gapNs === undefined ? "" : `${duration(gapNs, this.predicted)} later`;
  }

  /** Takes the keyboard, to remove it as others were. */
  focusRemove(): void {
    this.remove.focus();
  }

  private call(name: string): void {
    this.name.value = name;
    this.name.setAttribute("aria-label", `Name of marker ${name}`);
    this.goTo.title = `Go to marker ${name}`;
    this.remove.title = `Remove marker ${name}`;
    this.remove.setAttribute("aria-label", this.remove.title);
  }
}
