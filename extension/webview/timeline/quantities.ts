// Quantities over time and folded groups: what is said of them where they are pointed at, and the
// keyboard's way over them. Arrow keys come to them as they come to rows of spans.

import { describeCounter, describeGroup, type Description } from "./model/described";
import { type Direction, type Found, nearestInRow } from "./model/finding";
import type { Block, CounterBlock, GroupBlock, Layout } from "./model/layout";
import { lengthNs } from "./model/range";
import type { AreaBox } from "./render/renderer";
import type { Scene } from "./scene";
import type { Selection } from "./selection";

export type QuantityBlock = CounterBlock | GroupBlock;

/** How far an arrow key goes, as a part of what is in view. */
const STEP = 1 / 40;

type Row =
  { readonly quantity: QuantityBlock } | { readonly track: number; readonly depth: number };

export function isQuantity(block: Block | undefined): block is QuantityBlock {
  return (
    block?.type === "counter" ||
    (block?.type === "group" && block.collapsed && block.tracks.length > 0)
  );
}

export function describeQuantity(scene: Scene, block: QuantityBlock, ns: number): Description {
  if (block.type === "group") {
    return describeGroup(block.name, scene.levelAt(block.key, ns), ns, scene.predicted);
  }
  const values = scene.counterAt(block.counter.counter, ns);
  return describeCounter(block.counter, values, ns, scene.predicted);
}

export class Quantities {
  private place: { readonly key: string; readonly ns: number } | undefined;

  constructor(
    private readonly scene: Scene,
    private readonly selection: Selection,
    private readonly announce: (text: string) => void,
    private readonly select: (found: Found) => void,
  ) {}

  /** Where the keyboard is; undefined where it is on no quantity, or that is not shown. */
  get moment(): AreaBox | undefined {
    const block = this.block;
    if (this.place === undefined || block === undefined) return undefined;
    const { ns } = this.place;
    return { fromNs: ns, toNs: ns, top: block.top, bottom: block.top + block.height };
  }

  /** Follows an arrow key to a quantity, along it, or off it; false leaves the key to others. */
  step(direction: Direction): boolean {
    if (direction === "previous" || direction === "next") {
      if (this.place === undefined || this.block === undefined) return false;
      this.move(direction === "next" ? 1 : -1);
      return true;
    }
    return this.turn(direction === "inward" ? 1 : -1);
  }

  leave(): void {
    this.place = undefined;
  }

  private get block(): QuantityBlock | undefined {
    const { blocks } = this.scene.layout;
    return blocks.filter(isQuantity).find(({ key }) => key === this.place?.key);
  }

  private move(by: 1 | -1): void {
    const { viewport } = this.scene;
    const { place, block } = this;
    if (place === undefined || block === undefined) return;
    const { fromNs, toNs } = viewport.bounds;
    const ns = place.ns + by * STEP * lengthNs(viewport.range);
    this.goTo(block, Math.min(Math.max(ns, fromNs), toNs));
    const { range } = viewport;
    if (ns < range.fromNs || ns > range.toNs) viewport.centre(ns);
  }

  /** Goes to the next row that has anything, up or down. */
  private turn(by: 1 | -1): boolean {
    const { scene, selection, place } = this;
    const rows = rowsOf(scene.layout);
    const { box } = selection;
    const ns = place?.ns ?? (box === undefined ? scene.viewport.middleNs : middleOf(box));
    const current = rows.findIndex((row) =>
      "quantity" in row
        ? row.quantity.key === place?.key
        : place === undefined && row.track === box?.track && row.depth === box.depth,
    );
    const spans = scene.pieces[0]?.window.content;
    // Nothing is selected: the first quantity, where there is no row of spans to begin with.
    const begin = current < 0 ? (by > 0 ? 0 : rows.length - 1) : current + by;
    for (let index = begin; index >= 0 && index < rows.length; index += by) {
      const row = rows[index];
      if (row === undefined) break;
      if ("quantity" in row) {
        if (current < 0 && rows.some((other) => !("quantity" in other))) return false;
        selection.clear();
        this.goTo(row.quantity, ns);
        return true;
      }
      const span = spans && nearestInRow(spans, row.track, row.depth, ns);
      if (spans === undefined || span === undefined) continue;
      if (place === undefined) return false;
      this.leave();
      this.select({ spans, span });
      return true;
    }
    return place !== undefined;
  }

  private goTo(block: QuantityBlock, ns: number): void {
    this.place = { key: block.key, ns };
    const { title, lines } = describeQuantity(this.scene, block, ns);
    this.announce([title, ...lines].join(", "));
    this.scene.stage.reveal(block.top, block.height);
    this.scene.changed();
  }
}

/** What arrow keys go over, from top to bottom. */
function rowsOf({ blocks }: Layout): readonly Row[] {
  return blocks.flatMap((block): Row[] => {
    if (block.type !== "track") return isQuantity(block) ? [{ quantity: block }] : [];
    const { track } = block.track;
    return Array.from({ length: block.rows }, (_, depth) => ({ track, depth }));
  });
}

function middleOf({
  startNs,
  durationNs,
}: {
  readonly startNs: number;
  readonly durationNs: number;
}) {
  return startNs + durationNs / 2;
}
