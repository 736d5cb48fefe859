// Going from span to span: what is selected next, and how the view follows.

import { type Direction, firstSpan, type Found, neighbour } from "./model/finding";
import { around, lengthNs } from "./model/range";
import type { Box } from "./render/renderer";
import type { Scene } from "./scene";
import { boxOf, type Selection } from "./selection";

export class Navigation {
  constructor(
    private readonly scene: Scene,
    private readonly selection: Selection,
  ) {}

  select(found: Found): void {
    this.selection.select(found);
    this.scene.scrollTo(boxOf(found));
    this.scene.changed();
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
    const { box } = this.selection;
    if (box === undefined) {
      this.fit();
    } else {
      const endNs = box.startNs + box.durationNs;
      const { viewport } = this.scene;
      viewport.glideTo(around(box.startNs, endNs, viewport.bounds));
    }
  }

  fit(): void {
    this.scene.viewport.glideTo(this.scene.viewport.bounds);
  }

  /** Moves the view only if the span is out of it. */
  private follow({ startNs, durationNs }: Box): void {
    const { viewport } = this.scene;
    const { fromNs, toNs } = viewport.range;
    if (startNs + durationNs < fromNs || startNs > toNs) {
      const middleNs = startNs + durationNs / 2;
      const halfNs = lengthNs(viewport.range) / 2;
      viewport.glideTo({ fromNs: middleNs - halfNs, toNs: middleNs + halfNs });
    }
  }
}
