// The selected span: where it is, what the details pane says of it, and what is read aloud.

import type { EventDetails, EventLink } from "../../src/protocol";
import { at, type Spans } from "./model/spans";
import type { Description } from "./model/described";
import { eventAmong, type Found } from "./model/finding";
import type { Piece } from "./model/windows";
import type { Box, LinkLine } from "./render/renderer";
import type { SourceLinks } from "./sourceLinks";
import type { DetailsPane } from "./view/details";

interface Selected {
  readonly event: number;
  /** Where it was drawn last. Undefined until a window shows it: it may have been gone to. */
  box: Box | undefined;
  readonly note: string;
  readonly details: Promise<EventDetails | undefined>;
  /** The same once it is there. */
  known: EventDetails | undefined;
}

/** Which way to walk along arrows. */
export type Walk = "causes" | "effects";

/** What a selection needs from the page. */
export interface SelectionContext {
  readonly pane: DetailsPane;
  readonly askDetails: (event: number) => Promise<EventDetails>;
  readonly describe: (found: Found) => Description;
  readonly announce: (text: string) => void;
  /** There is something else to draw. */
  readonly changed: () => void;
  readonly links: SourceLinks;
}

export class Selection {
  private selected: Selected | undefined;

  constructor(private readonly context: SelectionContext) {}

  get event(): number | undefined {
    return this.selected?.event;
  }

  get box(): Box | undefined {
    return this.selected?.box;
  }

  /** Its time, as it is drawn or, where it is too small to be, as its details have it. */
  get time(): Pick<Box, "startNs" | "durationNs"> | undefined {
    return this.selected?.box ?? this.selected?.known;
  }

  /** Selects a span that is drawn. */
  select(found: Found): void {
    const { spans, span } = found;
    const { title, lines } = this.context.describe(found);
    this.context.announce([title, ...lines].join(", "));
    this.context.pane.showSummary({ title, lines });
    const merged = at(spans.merged, span);
    const note = merged === 1 ? "" : `The longest of ${merged} events here. Zoom in to see each.`;
    this.begin(at(spans.event, span), note, boxOf(found));
  }

  /** Selects an event by its number, drawn or not. */
  selectEvent(event: number): void {
    this.context.pane.showSummary({ title: "", lines: ["Loading…"] });
    this.begin(event, "", undefined);
    void this.selected?.details.then((details) => {
      if (details !== undefined && this.selected?.event === event) {
        this.context.announce(`${details.name}, ${details.durationText}`);
      }
    });
  }

  clear(): void {
    this.selected = undefined;
    this.context.pane.hide();
  }

  /** The selected span among those that are drawn; it is looked for once it can be seen. */
  locate(pieces: readonly Piece<Spans>[]): Found | undefined {
    if (this.selected === undefined) {
      return undefined;
    }
    const found = eventAmong(pieces, this.selected.event);
    // Anew each time: from nearer, a span that stood for many becomes the event alone.
    if (found !== undefined) {
      this.selected.box = boxOf(found);
    }
    return found;
  }

  /** The arrows of the chain that the selected event is in, from its first cause to its last effect. */
  get links(): readonly LinkLine[] {
    const known = this.selected?.known;
    if (known === undefined) return [];
    const { track, startNs, durationNs } = known;
    const depth = this.selected?.box?.depth ?? 0;
    const own = { track, depth, startNs, durationNs };
    return [
      ...known.causes.map((link) => ({ from: link, to: own })),
      ...known.effects.map((link) => ({ from: own, to: link })),
      ...known.chain.map(({ source, target }) => ({ from: source, to: target })),
    ];
  }

  /** The event at the first arrow that leads there, once that is known. */
  async linked(walk: Walk): Promise<EventLink | undefined> {
    return (await this.selected?.details)?.[walk][0];
  }

  /** Goes to the source line of the selected span, once that is known. */
  async openSource(): Promise<void> {
    const details = await this.selected?.details;
    if (details !== undefined) {
      this.context.links.goTo(details);
    }
  }

  private begin(event: number, note: string, box: Box | undefined): void {
    // Kept before anything is asked for: the answer is for whatever is selected then.
    this.selected = { event, box, note, details: Promise.resolve(undefined), known: undefined };
    this.selected = { ...this.selected, details: this.load(event) };
  }

  private async load(event: number): Promise<EventDetails | undefined> {
    try {
      const details = await this.context.askDetails(event);
      if (this.selected?.event === event) {
        this.selected.known = details;
        this.context.pane.show(details, this.selected.note);
        this.context.changed();
      }
      return details;
    } catch (error) {
      if (this.selected?.event === event) {
        this.context.pane.showProblem(error instanceof Error ? error.message : String(error));
      }
      return undefined;
    }
  }
}

export function boxOf({ spans, span }: Found): Box {
  return {
    track: at(spans.track, span),
    depth: at(spans.depth, span),
    startNs: at(spans.startNs, span),
    durationNs: at(spans.durationNs, span),
  };
}
