// The renderer: a 2-D canvas, drawn in device pixels so that edges are sharp at any ratio. What comes
// from the profile's data is drawn in tiles, so that moving the view, or the pointer over it, draws
// nothing anew that was there.

import type { KeyOf } from "../model/colouring";
import type { Layout } from "../model/layout";
import type { Palette } from "../model/palette";
import type { CounterValues, Levels } from "../model/pixels";
import type { Spans } from "../model/spans";
import { Labels } from "./labels";
import { partsIn } from "./parts";
import { drawPicture, PALE } from "./picture";
import { drawCounters, drawLevels } from "./pixelDrawing";
import type { Frame, Renderer } from "./renderer";
import { drawNamesAtEdge, drawSpans } from "./spanDrawing";
import { type Cut, Look, type Pen, type Surface } from "./surface";
import type { Theme } from "./theme";
import { type Paint, type Stretch, TileLayer } from "./tiles";

const FONT_PX = 11;

export class CanvasRenderer implements Renderer {
  private size = { widthPx: 1, heightPx: 1, ratio: 1 };
  private look: Look | undefined;
  private labels: Labels;
  private readonly spans = new TileLayer<Spans>();
  private readonly found = new TileLayer<Spans>();
  private readonly levels = new TileLayer<Levels>();
  private readonly counters = new TileLayer<CounterValues>();

  constructor(private readonly context: CanvasRenderingContext2D) {
    this.labels = this.newLabels();
  }

  resize(widthPx: number, heightPx: number, devicePixelRatio: number): void {
    const { size } = this;
    const isSame = size.widthPx === widthPx && size.heightPx === heightPx;
    if (isSame && size.ratio === devicePixelRatio) {
      return;
    }
    this.size = { widthPx, heightPx, ratio: devicePixelRatio };
    this.context.canvas.width = Math.round(widthPx * devicePixelRatio);
    this.context.canvas.height = Math.round(heightPx * devicePixelRatio);
    this.context.canvas.style.height = `${heightPx}px`;
    this.labels = this.newLabels();
  }

  useTheme(theme: Theme, palette: Palette, keyOf: KeyOf): void {
    this.look = new Look(theme, palette, keyOf);
    this.labels = this.newLabels();
  }

  draw(frame: Frame): void {
    const { context, look } = this;
    if (look === undefined) return;
    context.clearRect(0, 0, context.canvas.width, context.canvas.height);
    const surface = this.surface(context, look, this.labels);
    drawPicture(surface, frame, (moved, view) => {
      this.drawData(surface, look, moved, view);
    });
  }

  /** A surface on which things look as on this one. */
  surfaceOf(context: Pen, ratio: number): Surface | undefined {
    if (this.look === undefined) return undefined;
    const labels = new Labels((text) => context.measureText(text).width);
    return { ...this.surface(context, this.look, labels, ratio), ratio };
  }

  private drawData(surface: Surface, look: Look, frame: Frame, view: Cut): void {
    const { context } = this;
    const { layout, pieces, found } = frame;
    const { ratio } = surface;
    const basis = [look, layout, ratio];
    const stretches = (type: Layout["blocks"][number]["type"]): readonly Stretch[] =>
      layout.blocks
        .filter((block) => block.type === type)
        .map(({ top, height }) => ({ top: top * ratio, bottom: (top + height) * ratio }));
    const tracks = stretches("track");
    const paintSpans: Paint<Spans> = (tile, parts, cut) => {
      drawSpans(this.surface(tile, look, this.labels), layout, parts, cut);
    };
    this.levels.draw(context, view, frame.levels, basis, stretches("group"), (tile, parts, cut) => {
      drawLevels(this.surface(tile, look, this.labels), layout, parts, cut);
    });
    this.counters.draw(
      ...[context, view, frame.counters, basis, stretches("counter")],
      (tile, parts, cut) => {
        drawCounters(this.surface(tile, look, this.labels), layout, parts, cut);
      },
    );
    context.globalAlpha = found === undefined ? 1 : PALE;
    this.spans.draw(context, view, pieces, basis, tracks, paintSpans);
    context.globalAlpha = 1;
    if (found !== undefined) this.found.draw(context, view, found, basis, tracks, paintSpans);
    drawNamesAtEdge(surface, layout, partsIn(found ?? pieces, view), view);
  }

  private surface(context: Pen, look: Look, labels: Labels, ratio?: number): Surface {
    context.font = this.font(ratio);
    context.textBaseline = "middle";
    return { context, look, theme: look.theme, labels, ...this.size };
  }

  private font(ratio = this.size.ratio): string {
    return `${FONT_PX * ratio}px ${this.look?.theme.font ?? "sans-serif"}`;
  }

  private newLabels(): Labels {
    return new Labels((text) => {
      this.context.font = this.font();
      return this.context.measureText(text).width;
    });
  }
}
