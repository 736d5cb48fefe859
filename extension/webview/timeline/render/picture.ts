// The picture of a frame, stroke by stroke, on anything that takes strokes. What draws on a screen
// puts tiles where this puts spans, and is the same otherwise.

import { PixelGrid } from "../model/grid";
import { drawArea, drawLinks, drawMarkers, drawMoment, drawOutlines } from "./overlayDrawing";
import { partsIn } from "./parts";
import { drawCounters, drawLevels } from "./pixelDrawing";
import { type Frame, rulerHeight } from "./renderer";
import { drawRuler, drawSteps } from "./rulerDrawing";
import { drawNamesAtEdge, drawSpans } from "./spanDrawing";
import type { Cut, Surface } from "./surface";

/** How much of the rest is left where something was looked for. */
export const PALE = 0.25;

/** Draws what comes from the profile's data. */
export type DrawData = (frame: Frame, view: Cut) => void;

/**
 * Draws a frame.
 *
 * @param surface Where to.
 * @param given The frame.
 * @param drawData Draws its data; by itself it is drawn stroke by stroke.
 */
export function drawPicture(
  surface: Surface,
  given: Frame,
  drawData: DrawData = (frame, view) => {
    drawDirectly(surface, frame, view);
  },
): void {
  const { context, ratio, widthPx, heightPx } = surface;
  const ruler = rulerHeight(given.steps);
  const grid = new PixelGrid(given.scale, ratio);
  const top = Math.round((given.scrollTop - ruler) * ratio);
  const width = Math.round(widthPx * ratio);
  const height = Math.round(heightPx * ratio);
  // All that is drawn begins with a whole pixel, either way.
  const frame: Frame = { ...given, scale: grid.scale, scrollTop: ruler + top / ratio };
  context.save();
  context.beginPath();
  context.rect(0, Math.round(ruler * ratio), width, height);
  context.clip();
  drawSteps(surface, frame, ruler);
  drawData(frame, { grid, left: grid.left, top, width, height });
  drawArea(surface, frame);
  drawLinks(surface, frame);
  drawOutlines(surface, frame);
  drawMoment(surface, frame);
  context.restore();
  drawRuler(surface, frame);
  drawMarkers(surface, frame);
}

/** The parts of a picture that come from the profile's data, without tiles. */
function drawDirectly(surface: Surface, frame: Frame, view: Cut): void {
  const { context } = surface;
  const { layout, pieces, found } = frame;
  drawLevels(surface, layout, partsIn(frame.levels, view), view);
  drawCounters(surface, layout, partsIn(frame.counters, view), view);
  context.globalAlpha = found === undefined ? 1 : PALE;
  drawSpans(surface, layout, partsIn(pieces, view), view);
  context.globalAlpha = 1;
  const named = partsIn(found ?? pieces, view);
  if (found !== undefined) drawSpans(surface, layout, named, view);
  drawNamesAtEdge(surface, layout, named, view);
}
