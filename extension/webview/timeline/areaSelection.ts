// The selected area: a stretch of time on some tracks, drawn with the pointer or with the keyboard,
// and what the server says it sums up to.

import type { TimelineArea } from "../../src/protocol";
import { tracksBetween, type Layout } from "./model/layout";
import type { Range } from "./model/range";
import type { AreaBox, Box } from "./render/renderer";
import type { AreaPane } from "./view/areaPane";

/** What an area needs from the page. */
export interface AreaContext {
  readonly pane: AreaPane;
  /** From the first event to the last: the view has air around it, in which nothing was recorded. */
  readonly recorded: Range;
  readonly layout: () => Layout;
  readonly ask: (range: Range, tracks: readonly number[]) => Promise<TimelineArea>;
  readonly announce: (text: string) => void;
  readonly changed: () => void;
}

/** A place of the timeline, in the layout's own heights. */
export interface AreaCorner {
  readonly ns: number;
  readonly y: number;
}

export class AreaSelection {
  private range: Range | undefined;
  /** How high it is while it is drawn; then as high as its tracks are. */
  private drawn: Pick<AreaBox, "top" | "bottom"> | undefined;
  private tracks: readonly number[] = [];
  private asked = 0;
  /** The span that a growing area began with. */
  private anchor: Box | undefined;

  constructor(private readonly context: AreaContext) {}

  /** Where it is, however its tracks lie by now. */
  get box(): AreaBox | undefined {
    if (this.range === undefined) return undefined;
    const layout = this.context.layout();
    return { ...this.range, ...(this.drawn ?? heightsOf(layout, this.tracks)) };
  }

  /** Draws the area between two places; nothing is asked for before it is finished. */
  draw(from: AreaCorner, to: AreaCorner): void {
    this.anchor = undefined;
    this.range = this.recordedPart({
      fromNs: Math.round(Math.min(from.ns, to.ns)),
      toNs: Math.round(Math.max(from.ns, to.ns)),
    });
    const layout = this.context.layout();
    this.drawn = {
      top: Math.max(Math.min(from.y, to.y), 0),
      bottom: Math.min(Math.max(from.y, to.y), layout.height),
    };
    this.tracks = tracksBetween(layout, from.y, to.y);
    this.context.changed();
  }

  /** Sums up the area that was drawn. */
  finish(): void {
    this.drawn = undefined;
    if (this.range === undefined || this.tracks.length === 0) this.clear();
    else void this.sum(this.range);
  }

  /** Takes a stretch of time on all tracks. */
  take({ fromNs, toNs }: Range): void {
    this.anchor = undefined;
    this.range = this.recordedPart({ fromNs: Math.floor(fromNs), toNs: Math.ceil(toNs) });
    this.tracks = [];
    void this.sum(this.range);
  }

  /** Reaches from the span it began with to another. */
  growTo(from: Box, to: Box): void {
    const anchor = this.anchor ?? from;
    const blocks = [anchor, to].map(({ track }) => this.context.layout().byTrack.get(track));
    const tops = blocks.map((block) => block?.top ?? 0);
    const bottoms = blocks.map((block) => (block?.top ?? 0) + (block?.height ?? 0));
    const ends = [anchor, to].map(({ startNs, durationNs }) => startNs + durationNs);
    this.draw(
      { ns: Math.min(anchor.startNs, to.startNs), y: Math.min(...tops) },
      { ns: Math.max(...ends), y: Math.max(...bottoms) },
    );
    this.anchor = anchor;
    this.finish();
  }

  clear(): void {
    this.asked += 1;
    this.anchor = undefined;
    this.range = undefined;
    this.drawn = undefined;
    this.context.pane.hide();
    this.context.changed();
  }

  private recordedPart({ fromNs, toNs }: Range): Range {
    const { recorded } = this.context;
    const within = (ns: number): number => Math.min(Math.max(ns, recorded.fromNs), recorded.toNs);
    return { fromNs: within(fromNs), toNs: within(toNs) };
  }

  private async sum(range: Range): Promise<void> {
    this.asked += 1;
    const { asked, tracks } = this;
    const { fromNs, toNs } = range;
    this.context.pane.showLoading();
    this.context.changed();
    try {
      const area = await this.context.ask({ fromNs, toNs: Math.max(toNs, fromNs + 1) }, tracks);
      if (asked === this.asked) this.context.announce(this.context.pane.show(area));
    } catch (error) {
      if (asked === this.asked) {
        this.context.pane.showProblem(error instanceof Error ? error.message : String(error));
      }
    }
  }
}

/** From the uppermost of some tracks to the lowest, or to the folded groups they are in. */
function heightsOf({ blocks, height }: Layout, tracks: readonly number[]) {
  const theirs = blocks.filter(
    (block) =>
      (block.type === "track" && tracks.includes(block.track.track)) ||
      (block.type === "group" &&
        block.collapsed &&
        block.tracks.some((track) => tracks.includes(track))),
  );
  return theirs.length === 0
    ? { top: 0, bottom: height }
    : {
        top: Math.min(...theirs.map((block) => block.top)),
        bottom: Math.max(...theirs.map((block) => block.top + block.height)),
      };
}
