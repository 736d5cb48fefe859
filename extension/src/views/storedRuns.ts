// Stored profiles by run: what a distributed program left, a profile a rank, belongs together.

import type { ProfileEntry, StoreListing } from "../protocol";

/** The profiles of one run, by rank: one of what is no distributed run's. */
export type Run = readonly [ProfileEntry, ...ProfileEntry[]];

/** A store's profiles by run, in the order of each run's newest profile. */
export function runsOf({ profiles, runs }: StoreListing): readonly Run[] {
  const known = new Map(profiles.map((profile) => [profile.directory, profile]));
  const runOf = new Map(runs.flatMap((run) => run.map((directory) => [directory, run] as const)));
  const seen = new Set<readonly string[]>();
  return profiles.flatMap((profile): Run[] => {
    const run = runOf.get(profile.directory);
    if (run === undefined) return [[profile]];
    if (seen.has(run)) return [];
    seen.add(run);
    const [first = profile, ...others] = run.flatMap((directory) => known.get(directory) ?? []);
    return [[first, ...others]];
  });
}

/** The rank that is shown, or else the one that would be. */
export function shownOf(run: Run): ProfileEntry {
  return run.find(({ shown }) => shown) ?? run[0];
}
