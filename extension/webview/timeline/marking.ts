// The markers of a timeline: moments that a person has named, kept with the profile's view.

import { between, renamed, withMarker, withoutMarker } from "./model/markers";
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
  readonly announce: (text: string) => void;
  readonly changed: () => void;
}

export class Marking {
  readonly list: MarkerList;
  markers: readonly Marker[] = [];

  constructor(private readonly context: MarkingContext) {
    this.list = new MarkerList(context.predicted, {
      add: this.add,
      goTo: ({ atNs }) => {
        context.goTo(atNs);
      },
      rename: (marker, name) => {
        this.set(renamed(this.markers, marker, name));
      },
      remove: (marker) => {
        this.set(withoutMarker(this.markers, marker));
      },
      focusBetween: () => {
        const range = between(this.markers);
        if (range !== undefined) context.show(range);
      },
    });
  }

  readonly add = (): void => {
    const before = this.markers;
    this.set(withMarker(before, Math.round(this.context.atNs())));
    const added = this.markers.find((marker) => !before.includes(marker));
    if (added !== undefined) this.context.announce(`Marker ${added.name}`);
  };

  set(markers: readonly Marker[]): void {
    this.markers = markers;
    this.list.show(markers);
    this.context.changed();
  }
}
