// Which files of the workspace a profile's file from elsewhere may be, and whether one of them is it.

import type { SourceCandidate } from "../protocol";

/** A glob of the files that have the same name; undefined where the path ends with none. */
export function globFor(file: string): string | undefined {
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  // What is no letter, digit, dot, dash or underscore may mean something in a glob.
  return name === "" ? undefined : `**/${name.replaceAll(/[^\p{L}\p{N}._-]/gu, "?")}`;
}

/** The candidate that no other comes near; undefined where a person has to say. */
export function theOnlyOne(candidates: readonly SourceCandidate[]): SourceCandidate | undefined {
  const [best, next] = candidates;
  if (best === undefined) return undefined;
  // A name alone is no sign, unless the file also holds what the profile's did.
  const isLikely = best.alike !== null || best.sameEnd > 1;
  const isAlone =
    next === undefined || (best.sameEnd > next.sameEnd && (best.alike ?? 0) >= (next.alike ?? 0));
  return isLikely && isAlone ? best : undefined;
}
