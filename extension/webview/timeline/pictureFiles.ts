// The picture of what is seen, as a file: the same strokes as on the screen, on another surface.

import { drawGutter, type Gutter } from "./render/gutterDrawing";
import { drawPicture } from "./render/picture";
import type { Frame } from "./render/renderer";
import type { Surface } from "./render/surface";
import { type PlainColour, svgFile, SvgPen } from "./render/svgPen";

/** What is seen: a frame, and what stands beside it. */
export interface Seen {
  readonly title: string;
  readonly frame: Frame;
  readonly gutter: Gutter;
  /** A surface as the screen's, of another pen and ratio. */
  readonly surface: (context: Surface["context"], ratio: number) => Surface;
}

/** What is seen as SVG. */
export function svgOf({ title, frame, gutter, surface }: Seen): string {
  const scratch = contextOf(1, 1);
  const plain = plainColours(scratch);
  const measure = (text: string, font: string): number => {
    scratch.font = font;
    return scratch.measureText(text).width;
  };
  const [tracks, names] = [new SvgPen({ plain, measure }), new SvgPen({ plain, measure })];
  const drawn = surface(tracks, 1);
  drawPicture(drawn, frame);
  drawGutter(surface(names, 1), frame.layout, gutter);
  const [red, green, blue] = drawn.theme.background;
  const width = gutter.widthPx + drawn.widthPx;
  return svgFile(
    width,
    drawn.heightPx,
    title,
    [
      `<rect width="${width}" height="${drawn.heightPx}" fill="rgb(${red},${green},${blue})"/>`,
      `<g transform="translate(${gutter.widthPx} 0)">`,
      tracks.elements,
      "</g>",
      // Its clipping paths have the tracks' names otherwise.
      names.elements.replaceAll(/(id="|url\(#)clip/g, "$1names"),
    ].join("\n"),
  );
}

/** What is seen as PNG, in base64. */
export function pngOf({ frame, gutter, surface }: Seen, ratio: number): string {
  const { widthPx, heightPx, theme } = surface(contextOf(1, 1), ratio);
  const left = Math.round(gutter.widthPx * ratio);
  const [width, height] = [left + Math.round(widthPx * ratio), Math.round(heightPx * ratio)];
  const context = contextOf(width, height);
  const [red, green, blue] = theme.background;
  context.fillStyle = `rgb(${red}, ${green}, ${blue})`;
  context.fillRect(0, 0, width, height);
  context.translate(left, 0);
  drawPicture(surface(context, ratio), frame);
  context.translate(-left, 0);
  drawGutter(surface(context, ratio), frame.layout, gutter);
  return context.canvas.toDataURL("image/png").replace(/^[^,]*,/, "");
}

/** Colours of the theme as they come out on a canvas: there are ways to write them that are new. */
function plainColours(scratch: CanvasRenderingContext2D): (colour: string) => PlainColour {
  const known = new Map<string, PlainColour>();
  return (colour) => {
    let plain = known.get(colour);
    if (plain === undefined) {
      scratch.clearRect(0, 0, 1, 1);
      scratch.fillStyle = "#000000";
      scratch.fillStyle = colour;
      scratch.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = scratch.getImageData(0, 0, 1, 1).data;
      plain = { colour: `rgb(${red},${green},${blue})`, opacity: (alpha ?? 0) / 255 };
      known.set(colour, plain);
    }
    return plain;
  };
}

function contextOf(width: number, height: number): CanvasRenderingContext2D {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) {
    throw new Error("The picture cannot be drawn: this window has no 2-D canvas.");
  }
  return context;
}
