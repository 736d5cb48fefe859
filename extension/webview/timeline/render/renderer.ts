import type { TimelineStep } from "../../../src/protocol";
import type { Layout } from "../model/layout";
import type { Palette } from "../model/palette";
import type { Scale } from "../model/scale";
import type { Spans } from "../model/spans";
import type { Ruler } from "../model/ticks";
import type { Piece } from "../model/windows";
import type { Theme } from "./theme";

/** A rectangle's place in the timeline, whatever the view. */
export interface Box {
  readonly track: number;
  readonly depth: number;
  readonly startNs: number;
  readonly durationNs: number;
}

/** Everything a picture of the timeline shows. */
export interface Frame {
  readonly scale: Scale;
  readonly layout: Layout;
  /** How far the tracks are scrolled up. */
  readonly scrollTop: number;
  readonly ruler: Ruler;
  readonly steps: readonly TimelineStep[];
  readonly pieces: readonly Piece<Spans>[];
  readonly selected: Box | undefined;
  readonly hovered: Box | undefined;
  /** 1 right after a span was gone to, then less and less, 0 in the end. */
  readonly flash: number;
}

/** Draws frames. */
export interface Renderer {
  /** Cheap where nothing changed: to be called before each frame. */
  resize(widthPx: number, heightPx: number, devicePixelRatio: number): void;
  useTheme(theme: Theme, palette: Palette): void;
  draw(frame: Frame): void;
}

/** How high the ruler is, above the tracks; it has a band more where there are steps. */
export const RULER_PX = 22;
export const STEPS_PX = 20;

export function rulerHeight(steps: readonly TimelineStep[]): number {
  return RULER_PX + (steps.length > 0 ? STEPS_PX : 0);
}
