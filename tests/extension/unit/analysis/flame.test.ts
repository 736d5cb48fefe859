import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { FlameNode } from "../../../../extension/src/documents";
import { framesOf, layOut, neighbour, pathTo } from "../../../../extension/webview/flame/frames";

function node(name: string, selfNs: number, children: readonly FlameNode[]): FlameNode {
  const totalNs = children.reduce((sum, child) => sum + child.total_ns, selfNs);
  const nowhere = { file: null, line: null, function: null, others: 0 };
  return { name, ...nowhere, self_ns: selfNs, total_ns: totalNs, children };
}

const { tree } = fc.letrec<{ tree: FlameNode }>((tie) => ({
  tree: fc
    .tuple(
      fc.nat(9),
      fc.oneof({ maxDepth: 4 }, fc.constant([]), fc.array(tie("tree"), { maxLength: 3 })),
    )
    .map(([selfNs, children]) => node("f", selfNs, children)),
}));

/** A plain walk: a node, then its children, one after another. */
function walk(root: FlameNode): readonly FlameNode[] {
  return [root, ...root.children.flatMap(walk)];
}

describe("frames", () => {
  it("are numbered in the order of a walk, and know what is around them", () => {
    fc.assert(
      fc.property(tree, (root) => {
        const frames = framesOf(root);
        expect(frames.map((frame) => frame.node)).toEqual(walk(root));
        for (const frame of frames) {
          expect(frames[frame.number]).toBe(frame);
          expect(frame.children.map((child) => frames[child]?.node)).toEqual(frame.node.children);
          expect(pathTo(frames, frame.number)).toHaveLength(frame.depth + 1);
          for (const child of frame.children) {
            expect(neighbour(frames, child, "parent")).toBe(frame.number);
          }
        }
      }),
    );
  });

  it("are as wide as their time, within what is above them, and do not overlap", () => {
    fc.assert(
      fc.property(tree, fc.nat(), (root, drawn) => {
        const frames = framesOf(root);
        const filling = drawn % frames.length;
        const wholeNs = frames[filling]?.node.total_ns ?? 0;
        const laidOut = layOut(frames, filling);
        const placeOf = new Map(laidOut.map((placed) => [placed.frame.number, placed]));
        expect(placeOf.size).toBe(laidOut.length);
        for (const { frame, left, width, isAbove } of laidOut) {
          if (isAbove) expect([left, width]).toEqual([0, 1]);
          else if (frame.number !== filling) {
            expect(width).toBeCloseTo(frame.node.total_ns / wholeNs, 9);
            const above = placeOf.get(frame.parent);
            expect(left).toBeGreaterThanOrEqual((above?.left ?? 1) - 1e-9);
            const next = placeOf.get(neighbour(frames, frame.number, "next"));
            if (next !== undefined && next.frame !== frame) {
              expect(next.left).toBeCloseTo(left + width, 9);
            }
          }
        }
      }),
    );
  });

  it("lead to their neighbours, and nowhere where there are none", () => {
    const frames = framesOf(node("root", 0, [node("a", 3, [node("b", 2, [])]), node("c", 1, [])]));
    expect(neighbour(frames, 0, "child")).toBe(1);
    expect(neighbour(frames, 1, "next")).toBe(3);
    expect(neighbour(frames, 3, "previous")).toBe(1);
    expect(neighbour(frames, 0, "parent")).toBe(0);
    expect(neighbour(frames, 3, "child")).toBe(3);
  });
});
