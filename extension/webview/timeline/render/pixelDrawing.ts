// What is drawn pixel by pixel, each as one shape: how busy folded groups are, quantities over time.

import { isCapacityNear } from "../../page/capacity";
import { COUNTER_PX, type CounterBlock, type GroupBlock, type Layout } from "../model/layout";
import { type CounterValues, type Levels, pixelAt } from "../model/pixels";
import type { Part } from "./parts";
import type { Frame } from "./renderer";
import type { Cut, Surface } from "./surface";

const AIR_PX = 3;
const FULL_LEVEL = 255;
const FAINT = 0.35;

/** Fills the heads of folded groups as high as they are busy. */
export function drawLevels(
  surface: Surface,
  layout: Layout,
  parts: readonly Part<Levels>[],
  cut: Cut,
): void {
  for (const block of layout.blocks) {
    if (block.type !== "group" || !block.collapsed) continue;
    for (const part of parts) {
      shape(surface, block, part, cut, FAINT * 2, (ns) =>
        levelIn(part.window.content, block.key, ns),
      );
    }
  }
}

/** Draws each quantity as an area up to its mean, and faintly up to its highest. */
export function drawCounters(
  surface: Surface,
  layout: Layout,
  parts: readonly Part<CounterValues>[],
  cut: Cut,
): void {
  for (const block of layout.blocks) {
    if (block.type !== "counter") continue;
    for (const part of parts) {
      for (const what of ["highest", "mean"] as const) {
        shape(surface, block, part, cut, what === "mean" ? 2 * FAINT : FAINT, (ns) =>
          heightOf(block, valueIn(part.window.content, block.counter.counter, ns, what)),
        );
      }
      drawCapacity(surface, block, part, cut);
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
  return piece === undefined ? undefined : valueIn(piece.window.content, counter, ns, what);
}

/** How busy a folded group is at a time, 0 to 1; undefined where it is not known. */
export function levelAt(
  { levels }: Pick<Frame, "levels">,
  key: string,
  ns: number,
): number | undefined {
  const piece = levels.find(({ fromNs, toNs }) => ns >= fromNs && ns <= toNs);
  return piece === undefined ? undefined : levelIn(piece.window.content, key, ns);
}

function levelIn(content: Levels, key: string, ns: number): number | undefined {
  const level = content.byGroup.get(key)?.[pixelAt(content, ns) ?? -1];
  return level === undefined ? undefined : level / FULL_LEVEL;
}

function valueIn(
  content: CounterValues,
  counter: number,
  ns: number,
  what: "mean" | "highest",
): number | undefined {
  const value = content.byCounter.get(counter)?.[what][pixelAt(content, ns) ?? -1];
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

/** How high an area reaches, 0 to 1: zero is at the bottom where nothing lies below it. */
function heightOf({ counter }: CounterBlock, value: number | undefined): number | undefined {
  const bottom = Math.min(counter.lowest, 0);
  const whole = counter.unit === "fraction" ? 1 : nearCapacity(counter);
  const top = Math.max(counter.highest, whole ?? counter.highest);
  return value === undefined ? undefined : top > bottom ? (value - bottom) / (top - bottom) : 0;
}

/** What there is of a quantity, where that is near enough to be drawn. */
function nearCapacity({ highest, capacity }: CounterBlock["counter"]): number | undefined {
  return capacity !== null && isCapacityNear(highest, capacity) ? capacity : undefined;
}

/** A line a pixel high where there is no more of a quantity. */
function drawCapacity(
  { context, ratio, theme }: Surface,
  block: CounterBlock,
  { left, right }: Part<CounterValues>,
  cut: Cut,
): void {
  const height = heightOf(block, nearCapacity(block.counter));
  if (height === undefined) return;
  const bottom = Math.round((block.top + block.height) * ratio) - cut.top;
  const top = bottom - Math.round(height * COUNTER_PX * ratio);
  if (bottom <= 0 || top >= cut.height) return;
  context.save();
  context.fillStyle = theme.foreground;
  context.fillRect(left - cut.left, top, right - left, Math.max(Math.round(ratio), 1));
  context.restore();
}

function shape<T>(
  { context, ratio, theme }: Surface,
  block: GroupBlock | CounterBlock,
  { left, right }: Part<T>,
  cut: Cut,
  alpha: number,
  height: (ns: number) => number | undefined,
): void {
  const air = block.type === "group" ? AIR_PX : 0;
  const bottom = Math.round((block.top + block.height - air) * ratio) - cut.top;
  const room = ((block.type === "group" ? block.height : COUNTER_PX) - 2 * air) * ratio;
  if (bottom <= 0 || bottom - room >= cut.height) return;
  context.save();
  context.globalAlpha = alpha;
  context.fillStyle = theme.accent;
  context.beginPath();
  // One column a CSS pixel, whatever the cut.
  const [first, last] = [Math.floor(left / ratio), Math.ceil(right / ratio)];
  for (let column = first; column < last; column += 1) {
    const from = Math.max(Math.round(column * ratio), left);
    const to = Math.min(Math.round((column + 1) * ratio), right);
    if (from >= to) continue;
    const share = height(cut.grid.toNs((column + 0.5) * ratio));
    if (share === undefined || share <= 0) continue;
    // What is there is a pixel high at least.
    const high = Math.max(Math.round(Math.min(share, 1) * room), 1);
    context.rect(from - cut.left, bottom - high, to - from, high);
  }
  context.fill();
  context.restore();
}
