// The ways to put tracks together: what they are of is the server's to say, how they stand is not.

import type { TimelineTrack } from "../../../src/protocol";

/** What tracks of one group have in common. */
export type Grouping = "source" | "process" | "core" | "thread" | "stream";

export const GROUPINGS: readonly (readonly [Grouping, string])[] = [
  ["source", "By source"],
  ["process", "By process"],
  ["core", "By NeuronCore"],
  ["thread", "By thread"],
  ["stream", "By stream"],
];

export interface TrackGroup {
  /** What folding it away is remembered by. */
  readonly key: string;
  readonly name: string;
  readonly tracks: readonly TimelineTrack[];
}

const KINDS = { device: "Device", host: "Host" } as const;

/** Groups in the order of their first tracks. */
export function groupTracks(
  tracks: readonly TimelineTrack[],
  grouping: Grouping,
  predicted: boolean,
): readonly TrackGroup[] {
  const groups = new Map<string, { name: string; tracks: TimelineTrack[] }>();
  const names = new Map(tracks.map(({ track, name }) => [track, name]));
  for (const track of tracks) {
    const [key, name] = groupOf(track, grouping, names);
    const group = groups.get(key) ?? { name: predicted ? `${name}, predicted` : name, tracks: [] };
    group.tracks.push(track);
    groups.set(key, group);
  }
  return [...groups].map(([key, group]) => ({ key, ...group }));
}

export function isGrouping(text: string | undefined): text is Grouping {
  return GROUPINGS.some(([grouping]) => grouping === text);
}

/** @param names The tracks' names, by number: regions belong to the group of what they lie over. */
function groupOf(
  { track, kind, process, thread, regionsOf }: TimelineTrack,
  grouping: Grouping,
  names: ReadonlyMap<number, string>,
): readonly [string, string] {
  const name = names.get(regionsOf ?? track) ?? "";
  const whole = [kind, KINDS[kind]] as const;
  const isHost = kind === "host";
  switch (grouping) {
    case "source":
      return whole;
    case "process":
      return [`${kind}:${process}`, called(isHost ? "Process" : "Device", process)];
    case "core":
      return isHost ? whole : [`${kind}:${process}`, called("NeuronCore", process)];
    case "thread":
      return isHost ? [`${kind}:${process}:${thread}`, name] : whole;
    case "stream":
      return isHost ? whole : [`${kind}:${process}:${thread}`, name];
  }
}

/** A number gets a word before it; a name speaks for itself. */
function called(word: string, text: string): string {
  return /^\d*$/.test(text) ? `${word} ${text}`.trim() : text;
}
