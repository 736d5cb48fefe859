// How a quantity is drawn against what there is of it.

/** Below this part of the capacity a curve that is drawn up to it would lie flat. */
const NEAR = 0.2;

/** Whether a quantity comes so near to its capacity that this is drawn with it. */
export function isCapacityNear(highest: number, capacity: number): boolean {
  return highest >= NEAR * capacity;
}
