import type { TimelineStep } from "../../../src/protocol";
import type { KeyOf } from "../model/colouring";
import type { Layout } from "../model/layout";
import type { CounterValues, Levels } from "../model/pixels";
import type { Range } from "../model/range";
import type { Marker } from "../model/savedViews";
import type { Palette } from "../model/palette";
import type { Scale } from "../model/scale";
import type { Spans } from "../model/spans";
import type { Ruler } from "../model/ticks";
import type { Piece } from "../model/windows";
import type { Pen, Surface } from "./surface";
import type { Theme } from "./theme";

/** A rectangle's place in the timeline, whatever the view. */
export interface Box {
  readonly track: number;
  readonly depth: number;
  readonly startNs: number;
  readonly durationNs: number;
}

/** A stretch of time on some of the tracks; heights are the layout's. */
export interface AreaBox extends Range {
  readonly top: number;
  readonly bottom: number;
}

/** An event that led to another. */
export interface LinkLine {
  readonly from: Box;
  readonly to: Box;
}

/** What stands out of a picture. */
export interface Marks {
  readonly selected: Box | undefined;
  readonly hovered: Box | undefined;
  readonly area: AreaBox | undefined;
  readonly markers: readonly Marker[];
  readonly links: readonly LinkLine[];
  /** Where the keyboard is on a quantity or a folded group: a moment, as high as that is. */
  readonly moment: AreaBox | undefined;
}

/** Everything a picture of the timeline shows. */
export interface Frame extends Marks {
  readonly scale: Scale;
  readonly layout: Layout;
  /** How far the tracks are scrolled up. */
  readonly scrollTop: number;
  readonly ruler: Ruler;
  readonly steps: readonly TimelineStep[];
  readonly pieces: readonly Piece<Spans>[];
  /** What was looked for: drawn over the rest, which is pale then. Undefined where nothing is. */
  readonly found: readonly Piece<Spans>[] | undefined;
  readonly levels: readonly Piece<Levels>[];
  readonly counters: readonly Piece<CounterValues>[];
  /** 1 right after a span was gone to, then less and less, 0 in the end. */
  readonly flash: number;
}

/** Draws frames. */
export interface Renderer {
  /** Cheap where nothing changed: to be called before each frame. */
  resize(widthPx: number, heightPx: number, devicePixelRatio: number): void;
  useTheme(theme: Theme, palette: Palette, keyOf: KeyOf): void;
  draw(frame: Frame): void;
  /** A surface on which things look as on the screen; undefined before there is a theme. */
  surfaceOf(context: Pen, ratio: number): Surface | undefined;
}

/** How high the ruler is, above the tracks; it has a band more where there are steps. */
export const RULER_PX = 22;
export const STEPS_PX = 20;

export function rulerHeight(steps: readonly TimelineStep[]): number {
  return RULER_PX + (steps.length > 0 ? STEPS_PX : 0);
}
