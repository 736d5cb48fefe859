// What is drawn pixel by pixel, each as one shape: how busy folded groups are, quantities over time.

import { COUNTER_PX, type CounterBlock, type GroupBlock } from "../model/layout";
import { pixelAt } from "../model/pixels";
import type { Surface } from "./canvas";
import { type Frame, rulerHeight } from "./renderer";

const AIR_PX = 3;
const FULL_LEVEL = 255;
const FAINT = 0.35;

/** Fills the heads of folded groups as high as they are busy. */
export function drawLevels(surface: Surface, frame: Frame): void {
  for (const block of frame.layout.blocks) {
    if (block.type === "group" && block.collapsed) {
      shape(surface, frame, block, FAINT * 2, (ns) => {
        const piece = frame.levels.find(({ fromNs, toNs }) => ns >= fromNs && ns <= toNs);
        const content = piece?.window.content;
        const pixel = content === undefined ? undefined : pixelAt(content, ns);
        const level = content?.byGroup.get(block.key)?.[pixel ?? -1];
        return level === undefined ? undefined : level / FULL_LEVEL;
      });
    }
  }
}

/** Draws each quantity as an area up to its mean, and faintly up to its highest. */
export function drawCounters(surface: Surface, frame: Frame): void {
  for (const block of frame.layout.blocks) {
    if (block.type === "counter") {
      for (const what of ["highest", "mean"] as const) {
        shape(surface, frame, block, what === "mean" ? 2 * FAINT : FAINT, (ns) =>
          heightOf(frame, block, ns, what),
        );
      }
    }
  }
}

/** A quantity's value at a time; undefined where it is not known. */
export function counterAt(
  { counters }: Pick<Frame, "counters">,
  counter: number,
  ns: number,
  what: "mean" | "highest",
): number | undefined {
  const piece = counters.find(({ fromNs, toNs }) => ns >= fromNs && ns <= toNs);
  const content = piece?.window.content;
  const pixel = content === undefined ? undefined : pixelAt(content, ns);
  const value = content?.byCounter.get(counter)?.[what][pixel ?? -1];
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

/** How high an area reaches, 0 to 1: zero is at the bottom where nothing lies below it. */
function heightOf(frame: Frame, { counter }: CounterBlock, ns: number, what: "mean" | "highest") {
  const value = counterAt(frame, counter.counter, ns, what);
  const bottom = Math.min(counter.lowest, 0);
  const top = counter.unit === "fraction" ? Math.max(counter.highest, 1) : counter.highest;
  return value === undefined ? undefined : top > bottom ? (value - bottom) / (top - bottom) : 0;
}

function shape(
  { context, ratio, theme, heightPx }: Surface,
  frame: Frame,
  block: GroupBlock | CounterBlock,
  alpha: number,
  height: (ns: number) => number | undefined,
): void {
  const top = block.top + rulerHeight(frame.steps) - frame.scrollTop;
  if (top > heightPx || top + block.height < 0) return;
  const air = block.type === "group" ? AIR_PX : 0;
  const bottom = Math.round((top + block.height - air) * ratio);
  const room = ((block.type === "group" ? block.height : COUNTER_PX) - 2 * air) * ratio;
  context.save();
  context.globalAlpha = alpha;
  context.fillStyle = theme.accent;
  context.beginPath();
  for (let px = 0; px < frame.scale.widthPx; px += 1) {
    const share = height(frame.scale.toNs(px + 0.5));
    if (share === undefined || share <= 0) continue;
    // What is there is a pixel high at least.
    const high = Math.max(Math.round(Math.min(share, 1) * room), 1);
    const [left, right] = [Math.round(px * ratio), Math.round((px + 1) * ratio)];
    context.rect(left, bottom - high, right - left, high);
  }
  context.fill();
  context.restore();
}
