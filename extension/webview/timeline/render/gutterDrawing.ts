// The names of tracks, for pictures: on the page they are buttons beside the canvas.

import { type Block, blockName, type Layout } from "../model/layout";
import type { Surface } from "./surface";

const INDENT_PX = 26;
const AIR_PX = 8;
const FIRST_LINE_PX = 10;
const GROUP_LINE_PX = 14;

/** What of the page is beside the canvas. */
export interface Gutter {
  readonly widthPx: number;
  readonly rulerPx: number;
  readonly scrollTop: number;
  readonly base: string;
}

/** Draws the names that are in sight, on the background. */
export function drawGutter(surface: Surface, layout: Layout, gutter: Gutter): void {
  const { context, ratio, theme, heightPx, labels } = surface;
  const { widthPx, rulerPx, scrollTop, base } = gutter;
  const [red, green, blue] = theme.background;
  context.fillStyle = `rgb(${red}, ${green}, ${blue})`;
  context.fillRect(0, 0, widthPx * ratio, heightPx * ratio);
  context.save();
  context.beginPath();
  context.rect(0, rulerPx * ratio, widthPx * ratio, (heightPx - rulerPx) * ratio);
  context.clip();
  for (const block of layout.blocks) {
    const top = block.top + rulerPx - scrollTop;
    if (top > heightPx || top + block.height < rulerPx) continue;
    context.fillStyle = block.type === "group" ? theme.muted : theme.foreground;
    const room = (widthPx - INDENT_PX - AIR_PX) * ratio;
    const text = labels.fit(shown(block), room);
    const line = block.type === "group" ? GROUP_LINE_PX : FIRST_LINE_PX;
    context.fillText(text, INDENT_PX * ratio, (top + line) * ratio);
  }
  context.restore();
  context.fillStyle = theme.muted;
  const text = labels.fit(base, (widthPx - 2 * AIR_PX) * ratio);
  context.fillText(text, AIR_PX * ratio, FIRST_LINE_PX * ratio);
  context.fillStyle = theme.line;
  context.fillRect((widthPx - 1) * ratio, 0, Math.max(1, Math.round(ratio)), heightPx * ratio);
}

function shown(block: Block): string {
  const name = blockName(block);
  return block.type === "group" ? name.toUpperCase() : name;
}
