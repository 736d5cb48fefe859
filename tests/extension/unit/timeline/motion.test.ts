import { describe, expect, it } from "vitest";

import { Motion } from "../../../../extension/webview/timeline/model/motion";
import { boundsOf, lengthNs, type Range } from "../../../../extension/webview/timeline/model/range";

const BOUNDS = boundsOf(0, 1e9);
const START: Range = { fromNs: 2e8, toNs: 4e8 };
const END: Range = { fromNs: 5e8, toNs: 5.5e8 };

describe("motion", () => {
  it("glides to the end and then rests", () => {
    const motion = new Motion(BOUNDS, () => false);
    let range = motion.glideTo(START, END);
    expect(range).toEqual(START);
    range = motion.advance(range, 1000);
    range = motion.advance(range, 1050);
    expect(range.fromNs).toBeGreaterThan(START.fromNs);
    expect(range.fromNs).toBeLessThan(END.fromNs);
    expect(motion.advance(range, 2000)).toEqual(END);
    expect(motion.isMoving).toBe(false);
  });

  it("moves for as long as a key is held", () => {
    const motion = new Motion(BOUNDS, () => false);
    let range = motion.press("zoomIn", START);
    range = motion.advance(range, 0);
    range = motion.advance(range, 40);
    const zoomed = lengthNs(range);
    expect(zoomed).toBeLessThan(lengthNs(START));
    motion.release("zoomIn");
    expect(lengthNs(motion.advance(range, 80))).toBe(zoomed);
    expect(motion.isMoving).toBe(false);
  });

  it("does not leap after a long frame", () => {
    const motion = new Motion(BOUNDS, () => false);
    const range = motion.advance(motion.press("panRight", START), 0);
    const moved = motion.advance(range, 10_000);
    expect(moved.fromNs - START.fromNs).toBeLessThan(lengthNs(START) / 10);
  });

  it("goes at once, a step a press, where motion is unwelcome", () => {
    const motion = new Motion(BOUNDS, () => true);
    expect(motion.glideTo(START, END)).toEqual(END);
    expect(lengthNs(motion.press("zoomIn", START))).toBeLessThan(lengthNs(START));
    expect(motion.isMoving).toBe(false);
  });

  it("ends with everything else when it is stopped", () => {
    const motion = new Motion(BOUNDS, () => false);
    motion.press("panLeft", START);
    motion.stop();
    expect(motion.isMoving).toBe(false);
  });
});
