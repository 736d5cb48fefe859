// Frames' colours: by the file they are in, in the order of the files' device time.

import type { Frame } from "./frames";
import { Palette } from "../timeline/model/palette";
import { readTheme } from "../timeline/render/theme";

export interface FrameColour {
  readonly fill: string;
  readonly text: string;
}

export interface FileSwatch {
  readonly file: string;
  readonly colour: string;
}

/** The colours of a graph under the theme that is in force. */
export class FileColours {
  private readonly palette: Palette | undefined;
  private readonly files: readonly string[];

  constructor(frames: readonly Frame[]) {
    const largestFirst = [...frames].sort((one, other) => other.node.total_ns - one.node.total_ns);
    const files = largestFirst.map(({ node }) => node.file).filter((file) => file !== null);
    this.files = [...new Set(files)];
    const context = document.createElement("canvas").getContext("2d");
    if (context === null) return;
    const { kind, background } = readTheme(document.body, context);
    this.palette = new Palette([], kind, background);
    for (const file of this.files) this.palette.keyedColourOf(file, 1);
  }

  /** The colour of what is in a file; of what is in none for null. */
  of(file: string | null): FrameColour | undefined {
    if (this.palette === undefined) return undefined;
    const number = this.palette.keyedColourOf(file ?? "", 1);
    return { fill: this.palette.fills[number] ?? "", text: this.palette.texts[number] ?? "" };
  }

  /** What stands for which file. */
  swatches(): readonly FileSwatch[] {
    return this.files.map((file) => ({ file, colour: this.of(file)?.fill ?? "" }));
  }
}
