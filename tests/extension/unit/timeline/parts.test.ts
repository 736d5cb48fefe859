import { describe, expect, it } from "vitest";

import { PixelGrid } from "../../../../extension/webview/timeline/model/grid";
import { Scale } from "../../../../extension/webview/timeline/model/scale";
import type { CachedWindow } from "../../../../extension/webview/timeline/model/windows";
import {
  areAmong,
  partsIn,
  widePartsIn,
} from "../../../../extension/webview/timeline/render/parts";

/** A pixel a nanosecond. */
const GRID = new PixelGrid(new Scale({ fromNs: 0, toNs: 1000 }, 1000), 1);
const TILE = { grid: GRID, left: 512, top: 0, width: 512, height: 512 };

function windowOf(fromNs: number, toNs: number): CachedWindow<string> {
  return { fromNs, toNs, binNs: 1, askedBinNs: 1, content: `${fromNs}` };
}

describe("parts of a cut", () => {
  const near = windowOf(0, 2000);
  const far = windowOf(-5000, 5000);

  it("reach as far as the pieces of the view", () => {
    const pieces = [
      { window: near, fromNs: 100, toNs: 600 },
      { window: far, fromNs: 600, toNs: 900 },
    ];
    expect(partsIn(pieces, TILE)).toEqual([
      { window: near, left: 512, right: 600 },
      { window: far, left: 600, right: 900 },
    ]);
  });

  it("reach as far as their windows at both ends, so that moving needs nothing new", () => {
    const view = [{ window: near, fromNs: 100, toNs: 700 }];
    const drawn = widePartsIn(view, TILE);
    expect(drawn).toEqual([{ window: near, left: 512, right: 1024 }]);
    expect(areAmong(partsIn([{ window: near, fromNs: 300, toNs: 1000 }], TILE), drawn)).toBe(true);
  });

  it("are not those of another window", () => {
    const drawn = widePartsIn([{ window: near, fromNs: 100, toNs: 700 }], TILE);
    expect(areAmong(partsIn([{ window: far, fromNs: 100, toNs: 700 }], TILE), drawn)).toBe(false);
  });

  it("are not there beyond where a window ends", () => {
    const short = windowOf(0, 800);
    const drawn = widePartsIn([{ window: short, fromNs: 100, toNs: 700 }], TILE);
    expect(drawn).toEqual([{ window: short, left: 512, right: 800 }]);
    const longer = [{ window: windowOf(0, 900), fromNs: 100, toNs: 900 }];
    expect(areAmong(partsIn(longer, TILE), drawn)).toBe(false);
  });
});
