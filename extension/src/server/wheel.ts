// The server as the extension carries it: one wheel.

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import * as path from "node:path";

export interface Wheel {
  readonly path: string;
  /** Of its content: another build of the same version is another server. */
  readonly hash: string;
}

/**
 * Finds it.
 *
 * @throws Error A sentence, where it is missing.
 */
export async function carriedWheel(directory: string): Promise<Wheel> {
  const names = await readdir(directory).catch(() => []);
  const name = names.find((each) => each.endsWith(".whl"));
  if (name === undefined) {
    throw new Error(
      `This copy of Sidelight carries no server: there is no wheel in ${directory}. Install the ` +
        "extension again, or name a Python that has the server in sidelight.server.python.",
    );
  }
  const file = path.join(directory, name);
  const hash = createHash("sha256")
    .update(await readFile(file))
    .digest("hex")
    .slice(0, 16);
  return { path: file, hash };
}
