// Going from span to span: what is selected next, and how the view follows.

import { type Direction, firstSpan, type Found, neighbour } from "./model/finding";
import { around, lengthNs, type Range } from "./model/range";
import type { Box } from "./render/renderer";
import type { Scene } from "./scene";
import { boxOf, type Selection, type Walk } from "./selection";

/** An event that may not be drawn yet. */
export interface Destination {
  readonly event: number;
  readonly startNs: number;
  readonly durationNs: number;
}

export class Navigation {
  /** The selected event was gone to, and its row is not in view yet. */
  private isArriving = false;

  constructor(
    private readonly scene: Scene,
    private readonly selection: Selection,
  ) {}

  select(found: Found): void {
    this.selection.select(found);
    this.scene.scrollTo(boxOf(found));
    this.scene.changed();
  }

  /** Selects an event wherever it is, and moves the view there if it is out of it. */
  goTo({ event, startNs, durationNs }: Destination): void {
    this.selection.selectEvent(event);
    this.isArriving = true;
    this.follow({ startNs, durationNs });
    this.scene.flash();
  }

  /** Once the event that was gone to is drawn, brings its row into view. */
  arrive(): void {
    const { box } = this.selection;
    if (this.isArriving && box !== undefined) {
      this.isArriving = false;
      this.scene.bringIntoView(box);
    }
  }

  /** Walks along an arrow, if one leads there. */
  async walk(walk: Walk): Promise<void> {
    const link = await this.selection.linked(walk);
    if (link !== undefined) this.goTo(link);
  }

  clear(): void {
    this.selection.clear();
    this.scene.changed();
  }

  /** Moves the selection to a neighbour; where nothing is selected, to the first span in view. */
  step(direction: Direction): void {
    const { viewport, layout, pieces } = this.scene;
    const current = this.selection.locate(pieces);
    const spans = current?.spans ?? pieces[0]?.window.content;
    if (spans === undefined) {
      return;
    }
    const { fromNs, toNs } = viewport.range;
    const span =
      current === undefined
        ? firstSpan(spans, layout, fromNs, toNs)
        : neighbour(spans, layout, current.span, direction);
    if (span !== undefined) {
      this.select({ spans, span });
      this.follow(boxOf({ spans, span }));
    }
  }

  /** Zooms to the selected span, or out to everything. */
  zoomToSelection(): void {
    const { time } = this.selection;
    if (time === undefined) this.fit();
    else this.zoomTo({ fromNs: time.startNs, toNs: time.startNs + time.durationNs });
  }

  /** Zooms to a stretch of time. */
  zoomTo({ fromNs, toNs }: Range): void {
    const { viewport } = this.scene;
    viewport.glideTo(around(fromNs, toNs, viewport.bounds));
  }

  fit(): void {
    this.scene.viewport.glideTo(this.scene.viewport.bounds);
  }

  /** Moves the view only if the span is out of it. */
  private follow({ startNs, durationNs }: Pick<Box, "startNs" | "durationNs">): void {
    const { viewport } = this.scene;
    const { fromNs, toNs } = viewport.range;
    if (startNs + durationNs < fromNs || startNs > toNs) {
      const middleNs = startNs + durationNs / 2;
      const halfNs = lengthNs(viewport.range) / 2;
      viewport.glideTo({ fromNs: middleNs - halfNs, toNs: middleNs + halfNs });
    }
  }
}
