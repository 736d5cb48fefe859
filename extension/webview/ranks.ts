// Which of a distributed run's processes a profile is of, in words.

interface OfARun {
  readonly rank: number | null;
  readonly worldSize: number | null;
}

/** `rank 0 of 4`; empty for what is no rank of several. */
export function rankText({ rank, worldSize }: OfARun): string {
  if (rank === null || worldSize === null || worldSize < 2) return "";
  return `rank ${String(rank)} of ${String(worldSize)}`;
}
