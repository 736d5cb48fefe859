// The time ruler, the band of steps under it, and what both draw down through the tracks.

import { type Frame, RULER_PX, rulerHeight, STEPS_PX } from "./renderer";
import type { Surface } from "./surface";

const NARROWEST_STEP_PX = 6;
const TICK_PX = 5;
const TEXT_GAP_PX = 5;

/** Tints every other step and marks where each begins and ends, behind the spans. */
export function drawSteps({ context, ratio, heightPx, theme }: Surface, frame: Frame, top: number) {
  const height = (heightPx - top) * ratio;
  context.fillStyle = theme.tint;
  for (const { step, left, right } of stepsInSight(frame, ratio)) {
    if (step.number % 2 === 0) {
      context.fillRect(left, top * ratio, right - left, height);
    }
  }
  context.fillStyle = theme.line;
  for (const { left, right } of stepsInSight(frame, ratio)) {
    context.fillRect(left, top * ratio, 1, height);
    context.fillRect(right, top * ratio, 1, height);
  }
}

export function drawRuler(surface: Surface, frame: Frame): void {
  const { context, ratio, theme, labels } = surface;
  const width = surface.widthPx * ratio;
  const bottom = rulerHeight(frame.steps);
  context.fillStyle = theme.muted;
  for (const tick of frame.ruler.ticks) {
    const x = Math.round(frame.scale.toPx(tick.ns) * ratio);
    context.fillRect(x, (RULER_PX - TICK_PX) * ratio, 1, TICK_PX * ratio);
    const textX = x + TEXT_GAP_PX * ratio;
    if (labels.fit(tick.label, width - textX) === tick.label) {
      context.fillText(tick.label, textX, (RULER_PX / 2) * ratio);
    }
  }
  drawStepBand(surface, frame);
  context.fillStyle = theme.line;
  context.fillRect(0, Math.round(RULER_PX * ratio) - 1, width, 1);
  context.fillRect(0, Math.round(bottom * ratio) - 1, width, 1);
}

function drawStepBand(surface: Surface, frame: Frame): void {
  const { context, ratio, theme, labels } = surface;
  const width = surface.widthPx * ratio;
  const middle = (RULER_PX + STEPS_PX / 2) * ratio;
  const air = TEXT_GAP_PX * ratio;
  for (const { step, left, right } of stepsInSight(frame, ratio)) {
    const from = Math.max(left, 0);
    const room = Math.min(right, width) - from - 2 * air;
    context.fillStyle = theme.foreground;
    const label = [`step ${step.number}`, String(step.number)].find(
      (text) => labels.fit(text, room) === text,
    );
    if (label !== undefined) {
      context.fillText(label, from + air, middle);
    }
    context.fillStyle = theme.line;
    context.fillRect(left, RULER_PX * ratio, 1, STEPS_PX * ratio);
    context.fillRect(right, RULER_PX * ratio, 1, STEPS_PX * ratio);
  }
}

/** Steps wide enough to be told apart, with their edges in device pixels. */
function* stepsInSight({ scale, steps }: Frame, ratio: number) {
  for (const step of steps) {
    const left = Math.round(scale.toPx(step.startNs) * ratio);
    const right = Math.round(scale.toPx(step.endNs) * ratio);
    const isInSight = right >= 0 && left <= scale.widthPx * ratio;
    if (isInSight && right - left >= NARROWEST_STEP_PX * ratio) {
      yield { step, left, right };
    }
  }
}
