// All that is drawn of a profile's data: its spans, those of them that were found, how busy folded
// groups are, and quantities over time. Each is loaded where it is in sight, and only then.

import type { Find, Timeline } from "../../src/protocol";
import type { ColourBy } from "./messages";
import type { TimelineAsking } from "./asking";
import type { GroupBlock, Layout } from "./model/layout";
import { type CounterValues, decodeCounters, decodeLevels, type Levels } from "./model/pixels";
import type { Range } from "./model/range";
import { decodeSpans, type Spans } from "./model/spans";
import type { Piece } from "./model/windows";
import { WindowLoader } from "./windowLoader";

/** What there is to draw of a view. */
export interface Loaded {
  readonly pieces: readonly Piece<Spans>[];
  /** The spans that were looked for; undefined where nothing is. */
  readonly found: readonly Piece<Spans>[] | undefined;
  readonly levels: readonly Piece<Levels>[];
  readonly counters: readonly Piece<CounterValues>[];
}

export class Layers {
  private spans: WindowLoader<Spans>;
  private found: WindowLoader<Spans> | undefined;
  private levels: WindowLoader<Levels> | undefined;
  private readonly counters: WindowLoader<CounterValues> | undefined;
  private folded = "";
  private isCounting = false;
  private colourBy: ColourBy = "category";

  constructor(
    private readonly timeline: Timeline,
    private readonly bounds: Range,
    private readonly asking: TimelineAsking,
    private readonly changed: () => void,
  ) {
    this.spans = this.spanLoader(null);
    this.counters =
      timeline.counters.length === 0
        ? undefined
        : new WindowLoader(
            bounds,
            async (request) => {
              const { fromNs, toNs, widthPx: width } = request;
              const { directory } = this.timeline;
              const answer = await this.asking.counters({ directory, fromNs, toNs, width });
              return { binNs: request.binNs, content: decodeCounters(answer) };
            },
            changed,
          );
  }

  /** Why some of what was asked for last did not come, as a sentence. */
  get problem(): string | undefined {
    return this.loaders.find((loader) => loader?.problem !== undefined)?.problem;
  }

  retry(): void {
    for (const loader of this.loaders) loader?.retry();
  }

  /** Colours what comes from now on by this; what is there is asked for again. */
  colour(colourBy: ColourBy, find: Find | undefined): void {
    if (this.colourBy === colourBy) return;
    this.colourBy = colourBy;
    this.spans = this.spanLoader(null);
    this.find(find);
  }

  /** Shows what is found over the rest, or nothing but the rest. */
  find(find: Find | undefined): void {
    this.found = find === undefined ? undefined : this.spanLoader(find);
    this.changed();
  }

  /** Tells of the groups that are folded from now on. */
  fold(layout: Layout): void {
    this.isCounting = layout.blocks.some(({ type }) => type === "counter");
    const blocks = layout.blocks.filter(
      (block): block is GroupBlock =>
        block.type === "group" && block.collapsed && block.tracks.length > 0,
    );
    const folded = JSON.stringify(blocks.map(({ key }) => key));
    if (folded === this.folded) return;
    this.folded = folded;
    this.levels =
      blocks.length === 0
        ? undefined
        : new WindowLoader(
            this.bounds,
            async (request) => {
              const { fromNs, toNs, widthPx: width } = request;
              const { directory } = this.timeline;
              const groups = blocks.map(({ tracks }) => tracks);
              const asked = { of: "view", directory, fromNs, toNs, width, groups } as const;
              const answer = await this.asking.utilisation(asked);
              const keys = blocks.map(({ key }) => key);
              return { binNs: request.binNs, content: decodeLevels(answer, keys) };
            },
            this.changed,
          );
  }

  /** What is there to draw of a view; asks for what is missing. */
  of(view: Range, widthPx: number): Loaded {
    return {
      pieces: this.spans.pieces(view, widthPx),
      found: this.found?.pieces(view, widthPx),
      levels: this.levels?.pieces(view, widthPx) ?? [],
      counters: (this.isCounting ? this.counters?.pieces(view, widthPx) : undefined) ?? [],
    };
  }

  private get loaders() {
    return [this.spans, this.found, this.levels, this.counters];
  }

  private spanLoader(find: Find | null): WindowLoader<Spans> {
    const { colourBy } = this;
    const { directory } = this.timeline;
    return new WindowLoader(
      this.bounds,
      async ({ fromNs, toNs, widthPx: width }) => {
        const asked = { directory, fromNs, toNs, width, find, colourBy };
        const window = await this.asking.window(asked);
        return { binNs: window.binNs, content: decodeSpans(window) };
      },
      this.changed,
    );
  }
}
