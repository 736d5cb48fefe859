// The sample as the extension carries it, and as a folder with a store.

import { cp, mkdir, rename, rm } from "node:fs/promises";
import * as path from "node:path";

import { exists } from "../files";

/** The sample's script, in both. */
export const SCRIPT = "rmsnorm.py";
/** A store's profiles sort by their ids, which are times: this is older than all that follow. */
export const SAMPLE_ID = "00000000-sample";

/** Copies the sample, the profile into a store of its own; what is there already stays. */
export async function copySample(from: string, to: string): Promise<void> {
  if (await exists(to)) return;
  const partial = `${to}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(path.join(partial, ".sidelight", "profiles"), { recursive: true });
  await cp(path.join(from, SCRIPT), path.join(partial, SCRIPT));
  await cp(path.join(from, "profile"), path.join(partial, ".sidelight", "profiles", SAMPLE_ID), {
    recursive: true,
  });
  await rename(partial, to);
}
