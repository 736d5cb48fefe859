// The markers of a timeline: moments that a person has named. They are kept with the profile, so that
// other windows may set and remove some, too.

import { between, changed, type MarkerChange, newMarker } from "./model/markers";
import type { Range } from "./model/range";
import type { Marker } from "./model/savedViews";
import { MarkerList } from "./view/markerList";

export interface MarkingContext {
  readonly predicted: boolean;
  /** The moment that is meant: the selected span's start, or the middle of the view. */
  readonly atNs: () => number;
  /** Shows a stretch of time. */
  readonly show: (range: Range) => void;
  /** Brings a moment into view. */
  readonly goTo: (ns: number) => void;
  /** Changes the profile's markers, and tells all that it has then. */
  readonly keep: (change: MarkerChange) => Promise<readonly Marker[]>;
  readonly announce: (text: string) => void;
  readonly changed: () => void;
}

export class Marking {
  readonly list: MarkerList;
  markers: readonly Marker[] = [];
  private asked = 0;

  constructor(private readonly context: MarkingContext) {
    this.list = new MarkerList(context.predicted, {
      add: this.add,
      goTo: ({ atNs }) => {
        context.goTo(atNs);
      },
      rename: (marker, name) => {
        void this.change({ removed: [marker], added: [{ ...marker, name }] });
      },
      remove: (marker) => {
        void this.change({ removed: [marker], added: [] });
      },
      focusBetween: () => {
        const range = between(this.markers);
        if (range !== undefined) context.show(range);
      },
    });
  }

  readonly add = (): void => {
    const added = newMarker(this.markers, Math.round(this.context.atNs()));
    void this.change({ removed: [], added: [added] });
    this.context.announce(`Marker ${added.name}`);
  };

  /** Shows markers until the profile's own are known. */
  show(markers: readonly Marker[]): void {
    this.markers = markers;
    this.list.show(markers);
    this.context.changed();
  }

  /** Changes what is shown at once, and what the profile keeps. */
  async change(change: MarkerChange): Promise<void> {
    this.asked += 1;
    const { asked, context } = this;
    this.show(changed(this.markers, change));
    try {
      const kept = await context.keep(change);
      // Of several changes the last one's answer has them all.
      if (asked !== this.asked) return;
      this.list.showProblem("");
      // What is alike stays as it is: a person may be about to name one.
      if (JSON.stringify(kept) !== JSON.stringify(this.markers)) this.show(kept);
    } catch (error) {
      if (asked !== this.asked) return;
      this.list.showProblem(error instanceof Error ? error.message : String(error));
    }
  }

  /** Asks for the markers that the profile has. */
  refresh(): void {
    void this.change({ removed: [], added: [] });
  }
}
