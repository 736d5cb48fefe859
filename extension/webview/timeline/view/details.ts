import type { EventDetails, Place } from "../../../src/protocol";
import { button, element } from "./dom";

/** What is known of a selected span before its details arrive. */
export interface Summary {
  readonly title: string;
  readonly lines: readonly string[];
}

/** What the pane's buttons do. */
export interface DetailsActions {
  readonly reveal: (place: Place) => void;
  /** Looks for the file of a place that is not found where it was. */
  readonly locate: (place: Place) => void;
  readonly close: () => void;
}

/** The pane that tells everything about the selected span. */
export class DetailsPane {
  readonly root = element("aside", "details");
  private summary: Summary = { title: "", lines: [] };

  constructor(private readonly actions: DetailsActions) {
    this.root.setAttribute("aria-label", "Details");
    this.hide();
  }

  showSummary(summary: Summary): void {
    this.summary = summary;
    this.fill(summary.lines.map((line) => element("p", "note", line)));
  }

  /** Shows an event's details; `note` says what it stands for, if for more than itself. */
  show(details: EventDetails, note: string): void {
    this.summary = { title: details.name, lines: [] };
    const facts = element("dl", "facts");
    for (const [term, text] of factsOf(details)) {
      facts.append(element("dt", "", term), element("dd", "", text));
    }
    const parts: Node[] = note === "" ? [facts] : [element("p", "note", note), facts];
    const source = sourceOf(details);
    if (source !== undefined) {
      parts.unshift(
        button("Go to Source", "primary", () => {
          this.actions.reveal(source);
        }),
      );
    }
    if (details.places.length > 0) {
      const places = details.places.map((place) => element("li", "", this.placeButton(place)));
      parts.push(element("h3", "", "Source"), element("ol", "places", ...places));
    }
    if (details.shapes.length > 0) {
      const shapes = details.shapes.map((shape) => element("li", "", shape));
      parts.push(element("h3", "", "Inputs"), element("ul", "shapes", ...shapes));
    }
    this.fill(parts);
  }

  /** Says why there are no details. */
  showProblem(message: string): void {
    this.fill([element("p", "problem", message)]);
  }

  hide(): void {
    this.root.hidden = true;
  }

  private fill(parts: readonly Node[]): void {
    this.root.hidden = false;
    this.root.replaceChildren(
      button("×", "close", this.actions.close, "Close the details"),
      element("h2", "", this.summary.title),
      ...parts,
    );
  }

  private placeButton(place: Place): HTMLElement {
    const text = `${baseName(place.file)}:${place.line}${moved(place)}`;
    const isFound = place.uri !== null;
    const made = button(isFound ? text : `${text} …`, isFound ? "place" : "place absent", () => {
      if (isFound) this.actions.reveal(place);
      else this.actions.locate(place);
    });
    made.title = isFound
      ? `${place.file}:${place.line}`
      : `${place.file} is not where it was. Look for it in the workspace.`;
    return made;
  }
}

/** The innermost place that can be gone to. */
export function sourceOf(details: EventDetails): Place | undefined {
  return details.places.find((place) => place.uri !== null);
}

function factsOf(details: EventDetails): readonly (readonly [string, string])[] {
  const facts: [string, string | null][] = [
    ["Duration", details.durationText],
    ["Device time", details.deviceTimeText],
    ["Start", details.startText],
    ["Step", details.step === null ? "outside the recorded steps" : String(details.step)],
    ["Pass", details.backward ? "backward" : null],
    ["Category", details.category],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

function moved(place: Place): string {
  if (place.uri === null || place.currentLine === place.line) {
    return "";
  }
  return place.currentLine === null ? " (changed since)" : ` (now line ${place.currentLine})`;
}

function baseName(file: string): string {
  return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
}
