// The frames of a flame graph, numbered as the server numbers them, and where they lie.

import type { FlameNode } from "../../src/documents";

export interface Frame {
  readonly node: FlameNode;
  /** The root is 0, and each frame is followed by its first child and all below that. */
  readonly number: number;
  /** -1 for the root. */
  readonly parent: number;
  /** How many frames are above it. */
  readonly depth: number;
  /** Its place among its siblings, from 0 on. */
  readonly position: number;
  readonly children: readonly number[];
}

/** Where a frame lies: in parts of the whole width. */
export interface LaidOut {
  readonly frame: Frame;
  readonly left: number;
  readonly width: number;
  /** It has the frame below it that fills the width, not all of which is its own. */
  readonly isAbove: boolean;
}

/** All frames of a graph, by number. */
export function framesOf(root: FlameNode): readonly Frame[] {
  const frames: (Frame & { children: number[] })[] = [];
  const waiting = [{ node: root, parent: -1, depth: 0, position: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const number = frames.length;
    frames.push({ ...next, number, children: [] });
    frames[next.parent]?.children.push(number);
    const { node, depth } = next;
    const below = node.children.map((child, position) => ({
      ...{ node: child, parent: number, depth: depth + 1, position },
    }));
    waiting.push(...below.reverse());
  }
  return frames;
}

/** The frames that are drawn if one fills the width: it, those above it and those below it. */
export function layOut(frames: readonly Frame[], filling: number): readonly LaidOut[] {
  const laidOut: LaidOut[] = [];
  const above = pathTo(frames, filling);
  for (const frame of above) laidOut.push({ frame, left: 0, width: 1, isAbove: true });
  const first = frames[filling];
  if (first === undefined) return laidOut;
  laidOut.pop();
  const waiting = [{ frame: first, left: 0, width: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    laidOut.push({ ...next, isAbove: false });
    const { frame, width } = next;
    let { left } = next;
    for (const number of frame.children) {
      const child = frames[number];
      if (child === undefined || frame.node.total_ns === 0) continue;
      const part = (width * child.node.total_ns) / frame.node.total_ns;
      waiting.push({ frame: child, left, width: part });
      left += part;
    }
  }
  return laidOut;
}

/** The frames from the root to one, which is the last. */
export function pathTo(frames: readonly Frame[], number: number): readonly Frame[] {
  const path: Frame[] = [];
  for (let frame = frames[number]; frame !== undefined; frame = frames[frame.parent]) {
    path.unshift(frame);
  }
  return path;
}

export type Step = "parent" | "child" | "previous" | "next";

/** The frame beside, above or below another; the same where there is none. */
export function neighbour(frames: readonly Frame[], number: number, step: Step): number {
  const frame = frames[number];
  if (frame === undefined) return number;
  const siblings = frames[frame.parent]?.children ?? [];
  const found = {
    parent: frame.parent < 0 ? undefined : frame.parent,
    child: frame.children[0],
    previous: siblings[frame.position - 1],
    next: siblings[frame.position + 1],
  }[step];
  return found ?? number;
}
