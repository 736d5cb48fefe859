import { access } from "node:fs/promises";

/** Whether a file or a directory is there, and may be looked at. */
export async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
