// The parts of messages from pages, which may hold anything.

const MOST_PIXELS = 100_000;

/** A value's fields; none where it is no object. */
export function fields(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? value : {};
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(isNumber);
}

export function isNumber(value: unknown): value is number {
  return Number.isInteger(value);
}

export function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

export function isCount(value: unknown): value is number {
  return isTime(value) && value >= 0;
}

export function isWidth(value: unknown): value is number {
  return isNumber(value) && value > 0 && value <= MOST_PIXELS;
}

export function isLine(value: unknown): value is number {
  return isNumber(value) && value > 0;
}
