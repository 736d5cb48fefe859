import { duration } from "../../units";
import { deltas } from "../model/markers";
import type { Marker } from "../model/savedViews";
import { button, element } from "../../page/dom";
import { Popover } from "../../page/popover";

export interface MarkerActions {
  readonly add: () => void;
  readonly goTo: (marker: Marker) => void;
  readonly rename: (marker: Marker, name: string) => void;
  readonly remove: (marker: Marker) => void;
  readonly focusBetween: () => void;
}

/** The markers with the time from each to the next; hidden until asked for. */
export class MarkerList {
  readonly popover: Popover;
  private readonly list = element("ol", "markers");
  private readonly focus: HTMLButtonElement;

  constructor(
    private readonly predicted: boolean,
    private readonly actions: MarkerActions,
  ) {
    this.focus = button("Focus Between Markers", "secondary", actions.focusBetween);
    this.popover = new Popover(
      "⚑",
      "Markers",
      "marking",
      element("h2", "", "Markers"),
      this.list,
      element(
        "div",
        "actions",
        button("Add a Marker", "secondary", actions.add, "Add a marker (M)"),
        this.focus,
      ),
    );
    this.show([]);
  }

  show(markers: readonly Marker[]): void {
    const gaps = deltas(markers);
    this.focus.disabled = markers.length < 2;
    this.list.replaceChildren(...markers.map((marker, index) => this.item(marker, gaps[index])));
  }

  private item(marker: Marker, gapNs: number | undefined): HTMLElement {
    const name = element("input", "field");
    name.value = marker.name;
    name.setAttribute("aria-label", `Name of marker ${marker.name}`);
    name.addEventListener("change", () => {
      if (name.value.trim() !== "") this.actions.rename(marker, name.value.trim());
    });
    const time = duration(marker.atNs, this.predicted);
    const title = `Go to marker ${marker.name}`;
    const goTo = button(time, "place", () => {
      this.actions.goTo(marker);
    });
    goTo.title = title;
    const gap = gapNs === undefined ? "" : `${duration(gapNs, this.predicted)} later`;
    return element(
      "li",
      "",
      name,
      goTo,
      element("span", "part", gap),
      button(
        "×",
        "tool",
        () => {
          this.actions.remove(marker);
        },
        `Remove marker ${marker.name}`,
      ),
    );
  }
}
