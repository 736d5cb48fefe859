// Where tracks lie, top to bottom: groups (device, host) hold tracks, tracks hold rows of nesting.

import type { TimelineTrack } from "../../../src/protocol";

export const ROW_PX = 19;
const GROUP_PX = 24;
const TRACK_GAP_PX = 6;
const GROUP_GAP_PX = 8;

/** The head of a group, or a track with its rows. */
export type Block = GroupBlock | TrackBlock;

interface Placed {
  /** What collapsing it is remembered by. */
  readonly key: string;
  readonly top: number;
  readonly height: number;
  readonly collapsed: boolean;
}

export interface GroupBlock extends Placed {
  readonly type: "group";
  readonly kind: TimelineTrack["kind"];
}

export interface TrackBlock extends Placed {
  readonly type: "track";
  readonly track: TimelineTrack;
  /** How many rows are shown: one where it is collapsed. */
  readonly rows: number;
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

/** Lays tracks out in the given order; collapsed groups hide theirs, collapsed tracks show a row. */
export function layOut(tracks: readonly TimelineTrack[], collapsed: ReadonlySet<string>): Layout {
  const blocks: Block[] = [];
  const byTrack = new Map<number, TrackBlock>();
  let top = 0;
  for (const kind of new Set(tracks.map((track) => track.kind))) {
    const hidden = collapsed.has(kind);
    blocks.push({ type: "group", key: kind, kind, top, height: GROUP_PX, collapsed: hidden });
    top += GROUP_PX;
    for (const track of hidden ? [] : tracks.filter((other) => other.kind === kind)) {
      const key = trackKey(track);
      const rows = collapsed.has(key) ? 1 : track.depth;
      const height = rows * ROW_PX;
      const block: TrackBlock = {
        type: "track",
        key,
        track,
        rows,
        top,
        height,
        collapsed: rows < track.depth,
      };
      blocks.push(block);
      byTrack.set(track.track, block);
      top += height + TRACK_GAP_PX;
    }
    top += GROUP_GAP_PX;
  }
  return { blocks, byTrack, height: top };
}

/** The top of a row, in the layout's own pixels; undefined where it is not shown. */
export function rowTop(layout: Layout, track: number, depth: number): number | undefined {
  const block = layout.byTrack.get(track);
  return block === undefined || depth >= block.rows ? undefined : block.top + depth * ROW_PX;
}

/** The row at a height; undefined between rows. */
export function rowAt(layout: Layout, y: number): { track: number; depth: number } | undefined {
  const block = layout.blocks.find((other) => y >= other.top && y < other.top + other.height);
  return block?.type === "track"
    ? { track: block.track.track, depth: Math.floor((y - block.top) / ROW_PX) }
    : undefined;
}
