// Where tracks lie, top to bottom: groups hold tracks, tracks hold rows of nesting; quantities over
// time come last.

import type { TimelineCounter, TimelineTrack } from "../../../src/protocol";
import type { TrackGroup } from "./grouping";

export const ROW_PX = 19;
export const COUNTER_PX = 34;
/** What folding the quantities away is remembered by. */
export const COUNTERS_KEY = "counters";
const GROUP_PX = 24;
const TRACK_GAP_PX = 6;
const GROUP_GAP_PX = 8;

/** The head of a group, a track with its rows, or a quantity over time. */
export type Block = GroupBlock | TrackBlock | CounterBlock;

interface Placed {
  /** What collapsing it is remembered by. */
  readonly key: string;
  readonly top: number;
  readonly height: number;
  readonly collapsed: boolean;
}

export interface GroupBlock extends Placed {
  readonly type: "group";
  readonly name: string;
  /** The numbers of its tracks; none of the group of quantities. */
  readonly tracks: readonly number[];
}

export interface TrackBlock extends Placed {
  readonly type: "track";
  readonly track: TimelineTrack;
  /** How many rows are shown: one where it is collapsed. */
  readonly rows: number;
}

export interface CounterBlock extends Placed {
  readonly type: "counter";
  readonly counter: TimelineCounter;
}

export interface Layout {
  readonly blocks: readonly Block[];
  readonly byTrack: ReadonlyMap<number, TrackBlock>;
  readonly height: number;
}

/** What collapsing a track is remembered by. */
export function trackKey({ track }: TimelineTrack): string {
  return `track:${track}`;
}

/** Lays groups out in the given order; collapsed groups hide theirs, collapsed tracks show a row. */
export function layOut(
  groups: readonly TrackGroup[],
  counters: readonly TimelineCounter[],
  collapsed: ReadonlySet<string>,
): Layout {
  const blocks: Block[] = [];
  const byTrack = new Map<number, TrackBlock>();
  let top = 0;
  const head = (key: string, name: string, tracks: readonly TimelineTrack[]): boolean => {
    const hidden = collapsed.has(key);
    const numbers = tracks.map(({ track }) => track);
    const block = { type: "group", key, name, tracks: numbers, top, height: GROUP_PX } as const;
    blocks.push({ ...block, collapsed: hidden });
    top += GROUP_PX;
    return hidden;
  };
  for (const { key: group, name, tracks } of groups) {
    const hidden = head(group, name, tracks);
    for (const track of hidden ? [] : tracks) {
      const key = trackKey(track);
      const rows = collapsed.has(key) ? 1 : track.depth;
      const height = rows * ROW_PX;
      const isFolded = rows < track.depth;
      const block = { type: "track", key, track, rows, top, height, collapsed: isFolded } as const;
      blocks.push(block);
      byTrack.set(track.track, block);
      top += height + TRACK_GAP_PX;
    }
    top += GROUP_GAP_PX;
  }
  if (counters.length > 0) {
    const hidden = head(COUNTERS_KEY, "Quantities", []);
    for (const counter of hidden ? [] : counters) {
      const key = `counter:${counter.counter}`;
      const height = COUNTER_PX;
      blocks.push({ type: "counter", key, counter, top, height, collapsed: false });
      top += COUNTER_PX + TRACK_GAP_PX;
    }
    top += GROUP_GAP_PX;
  }
  return { blocks, byTrack, height: top };
}

/** What a block is called. */
export function blockName(block: Block): string {
  switch (block.type) {
    case "group":
      return block.name;
    case "track":
      return block.track.name;
    case "counter": {
      const { name, owner } = block.counter;
      return owner === "" ? name : `${name} · ${owner}`;
    }
  }
}

/** The top of a row, in the layout's own pixels; undefined where it is not shown. */
export function rowTop(layout: Layout, track: number, depth: number): number | undefined {
  const block = layout.byTrack.get(track);
  return block === undefined || depth >= block.rows ? undefined : block.top + depth * ROW_PX;
}

/** What lies at a height; undefined between blocks. */
export function blockAt(layout: Layout, y: number): Block | undefined {
  return layout.blocks.find(({ top, height }) => y >= top && y < top + height);
}

/** The row at a height; undefined between rows. */
export function rowAt(layout: Layout, y: number): { track: number; depth: number } | undefined {
  const block = blockAt(layout, y);
  return block?.type === "track"
    ? { track: block.track.track, depth: Math.floor((y - block.top) / ROW_PX) }
    : undefined;
}

/** The tracks that lie between two heights, at least in part; those of folded groups too. */
export function tracksBetween(layout: Layout, fromY: number, toY: number): readonly number[] {
  const [upper, lower] = fromY <= toY ? [fromY, toY] : [toY, fromY];
  return layout.blocks
    .filter(({ top, height }) => top < lower && top + height > upper)
    .flatMap((block) => {
      if (block.type === "track") return [block.track.track];
      return block.type === "group" && block.collapsed ? block.tracks : [];
    });
}
