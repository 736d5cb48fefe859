// The pictures of README.md, in docs/screenshots/.

import path from "node:path";

import type { Editor } from "./editor";
import { ROOT } from "./tools";

/** Takes a picture of the whole window. */
export async function takePicture(editor: Editor, picture: string): Promise<void> {
  const file = path.join(ROOT, `docs/screenshots/${picture}.png`);
  await editor.page.screenshot({ path: file, animations: "disabled", caret: "hide" });
}
