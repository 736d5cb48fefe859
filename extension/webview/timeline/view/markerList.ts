import { duration } from "../../units";
import { deltas } from "../model/markers";
import type { Marker } from "../model/savedViews";
import { button, element } from "../../page/dom";
import { Popover } from "../../page/popover";

/** As the server takes it. */
const LONGEST_NAME = 1_000;

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
  private readonly problem = element("p", "problem");
  private readonly focus: HTMLButtonElement;

  constructor(
    private readonly predicted: boolean,
    private readonly actions: MarkerActions,
  ) {
    this.focus = button("Focus Between Markers", "secondary", actions.focusBetween);
    this.problem.setAttribute("role", "alert");
    this.popover = new Popover(
      "⚑",
      "Markers",
      "marking",
      element("h2", "", "Markers"),
      this.list,
      this.problem,
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

  /** Says why the profile could not keep them, or be asked for them; empty where it could. */
  showProblem(message: string): void {
    this.problem.textContent = message;
  }

  private item(marker: Marker, gapNs: number | undefined): HTMLElement {
    const name = element("input", "field");
    name.value = marker.name;
    name.maxLength = LONGEST_NAME;
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
