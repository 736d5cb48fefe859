import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { SupersededError } from "../../../../extension/webview/page/asking";
import {
  boundsOf,
  lengthNs,
  pan,
  type Range,
  zoom,
} from "../../../../extension/webview/timeline/model/range";
import {
  quantised,
  WindowCache,
  type WindowRequest,
} from "../../../../extension/webview/timeline/model/windows";
import { WindowLoader } from "../../../../extension/webview/timeline/windowLoader";

const BOUNDS = boundsOf(0, 1e10);
const WIDTH = 1000;
const MIDDLE: Range = { fromNs: 4e9, toNs: 4e9 + 1e6 };

/** A cache that has the overview. */
function opened(): WindowCache<string> {
  const cache = new WindowCache<string>(BOUNDS);
  answer(cache, ask(cache, BOUNDS), "overview");
  return cache;
}

function ask(cache: WindowCache<string>, view: Range): WindowRequest {
  const request = cache.next(view, WIDTH);
  if (request === undefined) {
    throw new Error("The cache asked for nothing.");
  }
  return request;
}

function answer(
  cache: WindowCache<string>,
  request: WindowRequest,
  content: string,
  binNs = request.binNs,
): void {
  cache.arrived(request, binNs, content);
}

function drawn(cache: WindowCache<string>, view: Range): string[] {
  return cache.pieces(view, WIDTH).map((piece) => piece.window.content);
}

describe("the cache of windows", () => {
  it("asks for the whole timeline first, once", () => {
    const cache = new WindowCache<string>(BOUNDS);
    const request = ask(cache, MIDDLE);
    expect(request.fromNs).toBeLessThanOrEqual(0);
    expect(request.toNs).toBeGreaterThanOrEqual(1e10);
    expect(cache.next(MIDDLE, WIDTH)).toBeUndefined();
    expect(drawn(cache, MIDDLE)).toEqual([]);
  });

  it("draws the overview until something finer is there", () => {
    const cache = opened();
    const request = ask(cache, MIDDLE);
    expect(drawn(cache, MIDDLE)).toEqual(["overview"]);
    answer(cache, request, "fine");
    expect(drawn(cache, MIDDLE)).toEqual(["fine"]);
  });

  it("asks for three screens at a power-of-two resolution near the pixel", () => {
    const request = ask(opened(), MIDDLE);
    expect(request).toMatchObject({ fromNs: 3.999e9, toNs: 4.002e9, binNs: 1024 });
    expect(lengthNs(request) / request.widthPx).toBeGreaterThanOrEqual(1024);
    expect(lengthNs(request) / request.widthPx).toBeLessThan(1025);
  });

  it("serves panning and small zooms from what is there", () => {
    const cache = opened();
    answer(cache, ask(cache, MIDDLE), "fine");
    expect(cache.next(pan(MIDDLE, 0.6, BOUNDS), WIDTH)).toBeUndefined();
    expect(cache.next(zoom(MIDDLE, 0.9, 0.5, BOUNDS), WIDTH)).toBeUndefined();
    expect(cache.next(pan(MIDDLE, 0.9, BOUNDS), WIDTH)).toBeDefined();
  });

  it("asks for more before the edge is reached, and draws both across it meanwhile", () => {
    const cache = opened();
    answer(cache, ask(cache, MIDDLE), "fine");
    const across = pan(MIDDLE, 1.5, BOUNDS);
    const pieces = cache.pieces(across, WIDTH);
    expect(pieces.map((piece) => piece.window.content)).toEqual(["fine", "overview"]);
    expect(pieces[0]?.toNs).toBe(pieces[1]?.fromNs);
    expect(pieces[0]?.fromNs).toBe(across.fromNs);
    expect(pieces[1]?.toNs).toBe(across.toNs);
  });

  it("has one request in flight a level", () => {
    const cache = opened();
    ask(cache, MIDDLE);
    expect(cache.next(pan(MIDDLE, 5, BOUNDS), WIDTH)).toBeUndefined();
    expect(cache.next(zoom(MIDDLE, 0.1, 0.5, BOUNDS), WIDTH)).toBeDefined();
  });

  it("takes a closer look where the answer was coarser than asked", () => {
    const cache = opened();
    answer(cache, ask(cache, MIDDLE), "blurred", 8192);
    const closeUp = ask(cache, MIDDLE);
    expect(lengthNs(closeUp)).toBeLessThan(1.5 * lengthNs(MIDDLE));
    answer(cache, closeUp, "sharper", 2048);
    expect(drawn(cache, MIDDLE)).toEqual(["sharper"]);
    expect(cache.next(MIDDLE, WIDTH)).toBeUndefined();
  });

  it("needs nothing more where nothing is merged", () => {
    const cache = opened();
    answer(cache, ask(cache, MIDDLE), "all", 0);
    expect(cache.next(zoom(MIDDLE, 1e-3, 0.5, BOUNDS), WIDTH)).toBeUndefined();
  });

  it("does not ask again for what failed, until it is told to", () => {
    const cache = opened();
    cache.failedToArrive(ask(cache, MIDDLE));
    expect(cache.next(MIDDLE, WIDTH)).toBeUndefined();
    cache.retry();
    expect(cache.next(MIDDLE, WIDTH)).toBeDefined();
  });

  it("settles on every view with few requests, and always covers it without overlap", () => {
    const step = fc.record({
      factor: fc.double({ min: 0.05, max: 20, noNaN: true }),
      anchor: fc.double({ min: 0, max: 1, noNaN: true }),
      by: fc.double({ min: -4, max: 4, noNaN: true }),
      coarser: fc.constantFrom(0, 1, 4),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const cache = opened();
        let view: Range = BOUNDS;
        for (const { factor, anchor, by, coarser } of steps) {
          view = pan(zoom(view, factor, anchor, BOUNDS), by, BOUNDS);
          let asked = 0;
          for (let request = cache.next(view, WIDTH); request; request = cache.next(view, WIDTH)) {
            answer(cache, request, "", request.binNs * coarser);
            asked += 1;
          }
          expect(asked).toBeLessThanOrEqual(2);
          const pieces = cache.pieces(view, WIDTH);
          expect(pieces[0]?.fromNs).toBe(view.fromNs);
          expect(pieces.at(-1)?.toNs).toBe(view.toNs);
          pieces.slice(1).forEach((piece, index) => {
            expect(piece.fromNs).toBe(pieces[index]?.toNs);
          });
        }
      }),
    );
  });

  it("quantises to within half a power of two", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e12, noNaN: true }), (nsPerPx) => {
        const ratio = quantised(nsPerPx) / nsPerPx;
        expect(ratio).toBeGreaterThan(0.7);
        expect(ratio).toBeLessThan(1.42);
        expect(Number.isInteger(Math.log2(quantised(nsPerPx)))).toBe(true);
      }),
    );
  });
});

describe("a loader of windows", () => {
  it("asks again for what was superseded, once it is wanted again, and says nothing of it", async () => {
    const asked: WindowRequest[] = [];
    let superseding = false;
    const answers: Promise<unknown>[] = [];
    const loader = new WindowLoader<string>(
      BOUNDS,
      (request) => {
        asked.push(request);
        const answer = superseding
          ? Promise.reject(new SupersededError())
          : Promise.resolve({ binNs: request.binNs, content: "here" });
        answers.push(answer.catch(() => undefined));
        return answer;
      },
      () => undefined,
    );
    const arrived = async (): Promise<void> => {
      await Promise.all(answers);
      await Promise.resolve();
    };
    loader.pieces(BOUNDS, WIDTH);
    await arrived();
    superseding = true;
    loader.pieces(MIDDLE, WIDTH);
    await arrived();
    expect(loader.problem).toBeUndefined();
    superseding = false;
    loader.pieces(MIDDLE, WIDTH);
    await arrived();
    expect(asked).toHaveLength(3);
    expect(asked[2]).toEqual(asked[1]);
    expect(loader.pieces(MIDDLE, WIDTH)).toHaveLength(1);
  });
});
