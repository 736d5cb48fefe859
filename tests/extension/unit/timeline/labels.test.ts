import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { Labels } from "../../../../extension/webview/timeline/render/labels";

/** A font whose letters differ. */
const measure = (text: string): number =>
  Array.from(text).reduce(
    (sum, letter) => sum + ("ilj.".includes(letter) ? 3 : letter === "W" ? 12 : 7),
    0,
  );

describe("labels", () => {
  it("are whole where there is room, and cut where there is little", () => {
    const labels = new Labels(measure);
    expect(labels.fit("aten::mul", 100)).toBe("aten::mul");
    expect(labels.fit("aten::mul", 40)).toBe("aten…");
    expect(labels.fit("aten::mul", 9)).toBe("");
  });

  it("never stick out", () => {
    const labels = new Labels(measure);
    fc.assert(
      fc.property(fc.string(), fc.double({ min: -5, max: 200, noNaN: true }), (text, width) => {
        const label = labels.fit(text, width);
        expect(label === "" || measure(label) <= width).toBe(true);
      }),
    );
  });
});
