import { describe, expect, it } from "vitest";

import type { TimelineCounter } from "../../../../extension/src/protocol";
import { describeCounter } from "../../../../extension/webview/timeline/model/described";
import { PixelGrid } from "../../../../extension/webview/timeline/model/grid";
import { COUNTER_PX, layOut } from "../../../../extension/webview/timeline/model/layout";
import { drawCounters } from "../../../../extension/webview/timeline/render/pixelDrawing";
import type { Surface } from "../../../../extension/webview/timeline/render/surface";
import { SvgPen } from "../../../../extension/webview/timeline/render/svgPen";

function counter(capacity: number | null): TimelineCounter {
  const named = { counter: 0, name: "HBM", unit: "bytes", owner: "device 0" } as const;
  return { ...named, lowest: 0, highest: 6e9, capacity };
}

/** The tops of what is drawn of a quantity that is 6 GB all the time, from the track's top. */
function drawn(capacity: number | null): { readonly area: number; readonly line?: number } {
  const context = new SvgPen({ plain: (colour) => ({ colour, opacity: 1 }), measure: () => 0 });
  const layout = layOut([], [counter(capacity)], new Set());
  const range = { fromNs: 0, toNs: 10 };
  const values = { mean: new Float32Array(10).fill(6e9), highest: new Float32Array(10).fill(6e9) };
  const content = { ...range, width: 10, byCounter: new Map([[0, values]]) };
  const window = { ...range, binNs: 1, askedBinNs: 1, content };
  const cut = {
    grid: new PixelGrid({ range, widthPx: 10 }, 1),
    ...{ left: 0, top: 0, width: 10, height: layout.height },
  };
  const theme = { accent: "accent", foreground: "foreground" };
  const surface = { context, ratio: 1, theme } as unknown as Surface;
  drawCounters(surface, layout, [{ window, left: 0, right: 10 }], cut);
  const top = layout.blocks.find(({ type }) => type === "counter")?.top ?? 0;
  const area = /<path d="M0 (?<y>[\d.]+)/u.exec(context.elements)?.groups?.["y"];
  const line = /<rect x="0" y="(?<y>[\d.]+)" width="10" height="1" fill="foreground"/u.exec(
    context.elements,
  )?.groups?.["y"];
  return {
    area: Number(area) - top,
    ...(line === undefined ? {} : { line: Number(line) - top }),
  };
}

describe("a quantity's capacity", () => {
  it("is drawn as a line where it is near, and the area is as high as its part of it", () => {
    // 6 of 8 GB are three quarters of the track.
    expect(drawn(8e9)).toEqual({ area: COUNTER_PX - Math.round(COUNTER_PX * 0.75), line: 0 });
  });

  it("is within the area where that is larger", () => {
    expect(drawn(3e9)).toEqual({ area: 0, line: COUNTER_PX / 2 });
  });

  it("leaves the area its height where it is far away, or not known", () => {
    expect(drawn(60e9)).toEqual({ area: 0 });
    expect(drawn(null)).toEqual({ area: 0 });
  });

  it("is told where the quantity is pointed at, however far away it is", () => {
    const told = (capacity: number | null): readonly string[] =>
      describeCounter(counter(capacity), { mean: 3e9, highest: 3e9 }, 1_000, false).lines;
    expect(told(60e9)).toContain("5.0% of its capacity of 60.0 GB");
    expect(told(2e9)).toContain("more than its capacity of 2.00 GB");
    expect(told(null)).toEqual(["3.00 GB at 1.00 µs", "device 0"]);
  });
});
