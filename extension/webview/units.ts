// Numbers as people read them, to the character as everywhere else in Sidelight: units that fit,
// three significant digits. Python's `sidelight.profile.units` is the original; a test compares.

const TIME_UNITS = [
  ["ns", 1],
  ["µs", 1e3],
  ["ms", 1e6],
  ["s", 1e9],
] as const;
const COUNT_UNITS = [
  ["", 1],
  ["k", 1e3],
  ["M", 1e6],
  ["G", 1e9],
] as const;

const SIZE_UNITS = [
  ["B", 1],
  ["kB", 1e3],
  ["MB", 1e6],
  ["GB", 1e9],
  ["TB", 1e12],
] as const;

const FLOP_UNITS = [...COUNT_UNITS, ["T", 1e12], ["P", 1e15]] as const;

const SIGNIFICANT_DIGITS = 6;
/** As many as can be asked for: more than any double that is half-way has. */
const MOST_DECIMALS = 100;

type Units = typeof TIME_UNITS | typeof COUNT_UNITS | typeof SIZE_UNITS | typeof FLOP_UNITS;

/** A time such as `1.83 ms`; `≈` before it if predicted. */
export function duration(nanoseconds: number, predicted = false): string {
  const approximately = predicted ? "≈" : "";
  if (nanoseconds > 0 && nanoseconds < 0.995) {
    return `${approximately}<1 ns`;
  }
  return approximately + scaled(nanoseconds, TIME_UNITS);
}

/** A difference of two times such as `+1.83 ms` or `-412 µs`; `≈` before it if predicted. */
export function change(nanoseconds: number, predicted = false): string {
  const sign = nanoseconds > 0 ? "+" : nanoseconds < 0 ? "-" : "";
  return (predicted ? "≈" : "") + sign + duration(Math.abs(nanoseconds));
}

/** A size such as `12.4 MB`, in powers of 1000. */
export function size(bytes: number): string {
  return scaled(bytes, SIZE_UNITS);
}

/** How many floating-point operations, such as `4.29 GFLOP`. */
export function flops(count: number): string {
  return `${scaled(count, FLOP_UNITS)}FLOP`;
}

/** How many times as much, such as `0.81` or `12.4`; `≈` before it if predicted. */
export function ratio(value: number, predicted = false): string {
  const approximately = predicted ? "≈" : "";
  if (value > 0 && value < 0.005) {
    return `${approximately}<0.01`;
  }
  const isLarge = value >= 999.5;
  const number = isLarge ? scaled(value, COUNT_UNITS).replace(" ", "") : threeDigits(value);
  return approximately + number;
}

/** A figure in a unit of its own, such as `1,234.57`: six significant digits, as Python writes them. */
export function plainNumber(value: number): string {
  const rounded = significant(value);
  const power = rounded === 0 ? 0 : Math.floor(Math.log10(Math.abs(rounded)));
  if (power >= SIGNIFICANT_DIGITS || power < -4) {
    const [digits = "", exponent = ""] = rounded.toExponential().split("e");
    return `${digits}e${exponent.charAt(0)}${exponent.slice(1).padStart(2, "0")}`;
  }
  return rounded.toLocaleString("en-US", { maximumFractionDigits: 20 });
}

/** A part of a whole such as `22.4%`; `100%` is all of it, and no whole gives nothing. */
export function share(part: number, whole: number): string {
  if (whole === 0) {
    return "";
  }
  const percent = (100 * part) / whole;
  if (percent > 0 && percent < 0.05) {
    return "<0.1%";
  }
  return part >= whole ? "100%" : `${fixed(Math.min(percent, 99.9), 1)}%`;
}

/** How often something happens in a step: `3`, `2.5`, `12.3k`. */
export function meanCount(count: number, steps: number): string {
  const mean = count / Math.max(steps, 1);
  if (mean >= 9_999.5) {
    return scaled(mean, COUNT_UNITS).replace(" ", "");
  }
  if (Number.isInteger(mean) || mean >= 99.95) {
    return fixed(mean, 0);
  }
  return mean >= 0.05 ? fixed(mean, 1) : "<0.1";
}

/** To six digits; exact halves go to the even neighbour, as Python rounds them. */
function significant(value: number): number {
  const [digits = "", power = ""] = value.toExponential(MOST_DECIMALS).split("e");
  const kept = digits.slice(0, digits.indexOf(".") + SIGNIFICANT_DIGITS);
  const isEvenHalf = /[02468]$/u.test(kept) && /^50*$/u.test(digits.slice(kept.length));
  return Number(isEvenHalf ? `${kept}e${power}` : value.toPrecision(SIGNIFICANT_DIGITS));
}

function scaled(value: number, units: Units): string {
  // 999.5 of a unit would round to a fourth digit: the next one takes over there.
  const [unit, scale] = units.findLast(([, scale]) => value >= 999.5 * (scale / 1e3)) ?? units[0];
  const number =
    scale === 1 && Number.isInteger(value) ? String(value) : threeDigits(value / scale);
  return `${number} ${unit}`;
}

function threeDigits(value: number): string {
  return fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

/** As `toFixed`, but exact halves go to the even neighbour, as Python rounds them. */
function fixed(value: number, decimals: number): string {
  const shifted = value * 10 ** decimals;
  // Only a value that is a whole number of these can lie exactly half-way: the product is exact then.
  const isHalf = Number.isInteger(value * 2 ** (decimals + 1)) && Math.abs(shifted % 1) === 0.5;
  if (!isHalf) {
    return value.toFixed(decimals);
  }
  const below = Math.floor(shifted);
  return ((below % 2 === 0 ? below : below + 1) / 10 ** decimals).toFixed(decimals);
}
