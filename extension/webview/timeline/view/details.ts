import type { EventDetails, EventLink, Place } from "../../../src/protocol";
import { partText, placeName } from "../../places";
import { type SourceLinks, sourceOf } from "../sourceLinks";
import { button, element } from "../../page/dom";

/** What is known of a selected span before its details arrive. */
export interface Summary {
  readonly title: string;
  readonly lines: readonly string[];
}

/** The pane that tells everything about the selected span. */
export class DetailsPane {
  readonly root = element("aside", "details");
  private summary: Summary = { title: "", lines: [] };

  constructor(
    private readonly links: SourceLinks,
    private readonly close: () => void,
    private readonly goTo: (link: EventLink) => void,
  ) {
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
    if (details.owners > 1 || sourceOf(details) !== undefined) {
      parts.unshift(
        button(details.owners > 1 ? "Go to Source…" : "Go to Source", "primary", () => {
          this.links.goTo(details);
        }),
      );
    }
    parts.push(...this.places(details));
    parts.push(...this.linked("Follows from", details.causes));
    parts.push(...this.linked("Leads to", details.effects));
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
      button("×", "close", this.close, "Close the details"),
      element("h2", "", this.summary.title),
      ...parts,
    );
  }

  private places(details: EventDetails): readonly Node[] {
    const { places, owners } = details;
    if (places.length === 0) {
      return [
        element("h3", "", "Source"),
        element("p", "note", "No line of yours is known for it."),
      ];
    }
    const list = (some: readonly Place[]): Node =>
      element("ol", "places", ...some.map((place) => this.placeItem(place, details)));
    if (owners < 2) return [element("h3", "", "Source"), list(places)];
    const around = places.slice(owners);
    return [
      element("h3", "", "Source, apportioned"),
      list(places.slice(0, owners)),
      ...(around.length === 0 ? [] : [element("h3", "", "Called from"), list(around)]),
    ];
  }

  private linked(title: string, links: readonly EventLink[]): readonly Node[] {
    if (links.length === 0) return [];
    const items = links.map((link) => {
      const goTo = button(link.name, "place", () => {
        this.goTo(link);
      });
      return element("li", "", goTo, element("span", "part", link.kind));
    });
    return [element("h3", "", title), element("ul", "places", ...items)];
  }

  private placeItem(place: Place, details: EventDetails): Node {
    const part = partText(place, details);
    const item = element("li", "", this.placeButton(place));
    if (part !== "") item.append(element("span", "part", part));
    return item;
  }

  private placeButton(place: Place): HTMLElement {
    const text = `${placeName(place)}${moved(place)}`;
    const isFound = place.uri !== null;
    const made = button(isFound ? text : `${text} …`, isFound ? "place" : "place absent", () => {
      this.links.open(place);
    });
    made.title = isFound
      ? `${place.file}:${place.line}`
      : `${place.file} is not where it was. Look for it in the workspace.`;
    return made;
  }
}

function factsOf(details: EventDetails): readonly (readonly [string, string])[] {
  const facts: [string, string | null][] = [
    ["Duration", details.durationText],
    ["Device time", details.deviceTimeText],
    ["On no line", details.unattributedTimeText],
    ["Start", details.startText],
    ["Step", details.step === null ? "outside the recorded steps" : String(details.step)],
    ["Pass", details.backward ? "backward" : null],
    ["Category", details.category],
    ...details.facts.map(({ term, text }): [string, string] => [term, text]),
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

function moved(place: Place): string {
  if (place.uri === null || place.currentLine === place.line) {
    return "";
  }
  return place.currentLine === null ? " (changed since)" : ` (now line ${place.currentLine})`;
}
