// Values along a line of pixels, and the round ones among them that are marked.

const LINEAR_FACTORS = [1, 2, 5];
/** From this many decades on, powers of ten alone are marks enough. */
const MANY_DECADES = 2;

/** How values become distances: in proportion, or by their logarithm. */
export type AxisKind = "linear" | "log";

/** Values from one end of a line of pixels to the other. */
export class Axis {
  /**
   * @param from The value at 0 px; above 0 on a logarithmic axis.
   * @param to The value at `lengthPx`; above `from`.
   */
  constructor(
    readonly from: number,
    readonly to: number,
    readonly lengthPx: number,
    readonly kind: AxisKind = "linear",
  ) {}

  /** How far from the start a value is; what lies outside is at the nearer end. */
  toPx(value: number): number {
    const { from, to, lengthPx } = this;
    const inside = Math.min(Math.max(value, from), to);
    const part =
      this.kind === "log"
        ? Math.log(inside / from) / Math.log(to / from)
        : (inside - from) / (to - from);
    return part * lengthPx;
  }

  /** Round values, as many as have room if each takes `apartPx`. */
  ticks(apartPx: number): readonly number[] {
    return this.kind === "log" ? this.logTicks(apartPx) : this.linearTicks(apartPx);
  }

  private linearTicks(apartPx: number): readonly number[] {
    const { from, to, lengthPx } = this;
    const step = niceStep(((to - from) / lengthPx) * apartPx);
    const first = Math.ceil(from / step - 1e-9);
    const last = Math.floor(to / step + 1e-9);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
      rounded((first + index) * step, step),
    );
  }

  private logTicks(apartPx: number): readonly number[] {
    const { from, to, lengthPx } = this;
    const decades = Math.log10(to / from);
    const room = lengthPx / apartPx;
    const factors = decades < MANY_DECADES && decades * 3 <= room ? LINEAR_FACTORS : [1];
    const every = factors.length > 1 ? 1 : Math.max(1, Math.ceil(decades / Math.max(room, 1)));
    const found: number[] = [];
    const first = Math.floor(Math.log10(from) + 1e-9);
    for (let power = first; power <= Math.log10(to) + 1e-9; power += 1) {
      if (power % every !== 0) continue;
      for (const factor of factors) {
        const value = factor * 10 ** power;
        if (value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9)) found.push(value);
      }
    }
    return found;
  }
}

/** An axis from 0 (or, of a logarithm, from the power of ten below the least) to over the most. */
export function axisOver(values: readonly number[], lengthPx: number, kind: AxisKind): Axis {
  const most = values.reduce((larger, value) => Math.max(larger, value), 0);
  if (kind === "linear") return new Axis(0, most > 0 ? most * 1.05 : 1, lengthPx);
  const least = values.reduce(
    (less, value) => (value > 0 ? Math.min(less, value) : less),
    Infinity,
  );
  const from = Number.isFinite(least) ? least / 1.5 : 1;
  return new Axis(from, Math.max(most * 1.5, from * 10), lengthPx, "log");
}

/** The smallest of …, 1, 2, 5, 10, 20, … that is no less than this. */
function niceStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast));
  return power * (LINEAR_FACTORS.find((factor) => factor * power >= atLeast * (1 - 1e-9)) ?? 10);
}

/** Without the dust of adding up fractions. */
function rounded(value: number, step: number): number {
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  return Number(value.toFixed(Math.min(decimals, 20)));
}
