// What to remember when a person says which file here is a profile's file from elsewhere.

import * as path from "node:path";

/** An entry of `sidelight.sourceMap`. */
export interface SourceMapEntry {
  /** A path as the profile has it. */
  readonly there: string;
  /** The path here: below the workspace folder where it can be, so that others can use it too. */
  readonly here: string;
}

/**
 * The entry that says so, and says it of all that lies beside the file, too: what both paths end
 * with is left out.
 *
 * @param file The file as the profile has it, with slashes of any system.
 * @param chosen Where it is here.
 * @param folder The workspace folder it is in; undefined where it is in none.
 */
export function sourceMapEntry(
  file: string,
  chosen: string,
  folder: string | undefined,
): SourceMapEntry {
  const there = file.split(/[\\/]/);
  const here = chosen.split(path.sep);
  let common = 0;
  while (
    // Something has to be left of both, be it the root alone.
    common + 1 < Math.min(there.length, here.length) &&
    there.at(-1 - common) === here.at(-1 - common)
  ) {
    common += 1;
  }
  const ending = there.slice(there.length - common).join("/");
  const thereStart = file.slice(0, file.length - ending.length - (common > 0 ? 1 : 0));
  const hereStart = here.slice(0, here.length - common).join(path.sep);
  return {
    there: thereStart === "" ? "/" : thereStart,
    here: relativeTo(folder, hereStart === "" ? path.sep : hereStart),
  };
}

function relativeTo(folder: string | undefined, file: string): string {
  if (folder === undefined) return file;
  const relative = path.relative(folder, file);
  if (relative === "") return ".";
  const leads = relative === ".." || relative.startsWith(`..${path.sep}`);
  return leads || path.isAbsolute(relative) ? file : relative.split(path.sep).join("/");
}
