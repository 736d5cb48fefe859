// What lies over the spans: the selected area, markers, and arrows between events.

import { ROW_PX, rowTop } from "../model/layout";
import { type Box, type Frame, RULER_PX, rulerHeight } from "./renderer";
import { rowHeight } from "./spanDrawing";
import type { Surface } from "./surface";

const AREA_ALPHA = 0.16;
const HEAD_PX = 5;
const FLAG_AIR_PX = 4;
/** Ends far outside are drawn just outside: a canvas is not exact at such distances. */
const OUTSIDE_PX = 40;
const OUTLINE_OUTSIDE_PX = 10;
const MOMENT_PX = 2;

/** Tints the selected area and draws its edges. */
export function drawArea(surface: Surface, frame: Frame): void {
  const { area } = frame;
  if (area === undefined) return;
  const { context, ratio, theme } = surface;
  const [left, right] = [x(surface, frame, area.fromNs), x(surface, frame, area.toNs)];
  const below = rulerHeight(frame.steps) - frame.scrollTop;
  const [top, bottom] = [(area.top + below) * ratio, (area.bottom + below) * ratio];
  const width = Math.max(right - left, 1);
  context.save();
  context.fillStyle = theme.accent;
  context.globalAlpha = AREA_ALPHA;
  context.fillRect(left, top, width, bottom - top);
  context.restore();
  context.strokeStyle = theme.foreground;
  context.lineWidth = Math.max(1, Math.round(ratio));
  context.strokeRect(left + 0.5, top + 0.5, width, bottom - top - 1);
}

/** Draws an arrow from each event to what it led to, where both are in rows that are shown. */
export function drawLinks(surface: Surface, frame: Frame): void {
  const { context, ratio, theme } = surface;
  context.save();
  context.strokeStyle = theme.foreground;
  context.fillStyle = theme.foreground;
  context.lineWidth = Math.max(1, Math.round(1.5 * ratio));
  for (const { from, to } of frame.links) {
    const [fromY, toY] = [y(surface, frame, from), y(surface, frame, to)];
    if (fromY === undefined || toY === undefined) continue;
    const fromX = x(surface, frame, Math.min(from.startNs + from.durationNs, to.startNs));
    const toX = x(surface, frame, to.startNs);
    const reach = Math.max(Math.abs(toX - fromX) / 2, 12 * ratio);
    const head = HEAD_PX * ratio;
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.bezierCurveTo(fromX + reach, fromY, toX - reach, toY, toX - head, toY);
    context.stroke();
    context.beginPath();
    context.moveTo(toX, toY);
    context.lineTo(toX - head, toY - head);
    context.lineTo(toX - head, toY + head);
    context.fill();
  }
  context.restore();
}

/** Draws the outlines of the span under the pointer and of the selected one. */
export function drawOutlines(surface: Surface, frame: Frame): void {
  if (frame.hovered !== undefined) outline(surface, frame, frame.hovered, 1);
  if (frame.selected !== undefined) outline(surface, frame, frame.selected, 2 + 3 * frame.flash);
}

function outline({ context, ratio, theme }: Surface, frame: Frame, box: Box, weightPx: number) {
  const top = rowTop(frame.layout, box.track, box.depth);
  if (top === undefined) return;
  const weight = Math.max(1, Math.round(weightPx * ratio));
  const nearLeft = Math.max(frame.scale.toPx(box.startNs), -OUTLINE_OUTSIDE_PX);
  const nearRight = Math.min(
    frame.scale.toPx(box.startNs + box.durationNs),
    frame.scale.widthPx + OUTLINE_OUTSIDE_PX,
  );
  const x = Math.round(nearLeft * ratio);
  const width = Math.max(Math.round(nearRight * ratio) - x, 2);
  const y = Math.round((top + rulerHeight(frame.steps) - frame.scrollTop) * ratio);
  const height = rowHeight(ratio);
  context.strokeStyle = theme.foreground;
  context.lineWidth = weight;
  const grow = weightPx > 1 ? weight / 2 : -weight / 2;
  context.strokeRect(x - grow, y - grow, width + 2 * grow, height + 2 * grow);
}

/** Draws where the keyboard is on a quantity. */
export function drawMoment(surface: Surface, frame: Frame): void {
  const { moment } = frame;
  if (moment === undefined) return;
  const { context, ratio, theme } = surface;
  const left = x(surface, frame, moment.fromNs);
  const below = rulerHeight(frame.steps) - frame.scrollTop;
  const [top, bottom] = [(moment.top + below) * ratio, (moment.bottom + below) * ratio];
  context.strokeStyle = theme.foreground;
  context.lineWidth = Math.max(1, Math.round(ratio));
  context.strokeRect(left - MOMENT_PX * ratio, top, 2 * MOMENT_PX * ratio, bottom - top);
}

/** Draws each marker down through the tracks, with its name in the ruler. */
export function drawMarkers(surface: Surface, frame: Frame): void {
  const { context, ratio, theme, labels, widthPx, heightPx } = surface;
  for (const { name, atNs } of frame.markers) {
    const left = Math.round(frame.scale.toPx(atNs) * ratio);
    if (Math.abs(left) > widthPx * ratio) continue;
    context.fillStyle = theme.accent;
    context.fillRect(left, 0, Math.max(1, Math.round(ratio)), heightPx * ratio);
    const text = labels.fit(name, 120 * ratio);
    const air = FLAG_AIR_PX * ratio;
    const width = context.measureText(text).width + 2 * air;
    context.fillRect(left, 2 * ratio, width, (RULER_PX - 6) * ratio);
    context.fillStyle = theme.onAccent;
    context.fillText(text, left + air, (RULER_PX / 2 - 1) * ratio);
  }
}

function x({ ratio }: Surface, { scale }: Frame, ns: number): number {
  const px = Math.min(Math.max(scale.toPx(ns), -OUTSIDE_PX), scale.widthPx + OUTSIDE_PX);
  return Math.round(px * ratio);
}

function y({ ratio }: Surface, frame: Frame, { track, depth }: Box): number | undefined {
  const top = rowTop(frame.layout, track, depth) ?? rowTop(frame.layout, track, 0);
  return top === undefined
    ? undefined
    : (top + ROW_PX / 2 + rulerHeight(frame.steps) - frame.scrollTop) * ratio;
}
