// Which windows of the timeline to ask for, which to keep, and which to draw.
//
// Windows are asked for at power-of-two resolutions and wider than the screen, so that panning and
// small zooms are served from what is there. While a better one is on its way, the next best is
// drawn; the overview of the whole timeline is kept for good, so there is always something.

import { lengthNs, type Range } from "./range";

/** What the cache needs to know about a window that arrived; `content` is the caller's own. */
export interface CachedWindow<T> extends Range {
  /** Events shorter than this are merged; 0 where none are. */
  readonly binNs: number;
  /** The resolution it was asked for: as fine as it gets here, even if the answer is coarser. */
  readonly askedBinNs: number;
  readonly content: T;
}

/** A window to ask for. */
export interface WindowRequest extends Range {
  readonly widthPx: number;
  readonly binNs: number;
}

/** A window, and the part of the screen's range it is drawn for. */
export interface Piece<T> extends Range {
  readonly window: CachedWindow<T>;
}

const MOST_KEPT = 12;
const MOST_IN_FLIGHT = 3;
/** How much more than the screen is asked for, on each side, in screens. */
const MARGIN = 1;
/** How much of that must be left before more is asked for. */
const LEAST_MARGIN = 0.25;
/** The same where a window that wide would come back coarser than the screen: a close-up. */
const CLOSE_UP_MARGIN = 0.1;

export class WindowCache<T> {
  /** Least recently drawn first. */
  private windows: CachedWindow<T>[] = [];
  private readonly inFlight = new Set<WindowRequest>();
  private failed: WindowRequest | undefined;

  constructor(private readonly bounds: Range) {}

  /** The request to send now for this view, if any; the caller reports how it went. */
  next(view: Range, widthPx: number): WindowRequest | undefined {
    const wanted = this.wanted(view, widthPx);
    if (wanted === undefined || this.inFlight.size >= MOST_IN_FLIGHT) {
      return undefined;
    }
    const busy = [...this.inFlight].some((request) => request.binNs === wanted.binNs);
    if (busy || (this.failed !== undefined && isSame(this.failed, wanted))) {
      return undefined;
    }
    this.inFlight.add(wanted);
    return wanted;
  }

  /** Keeps an answer. */
  arrived(request: WindowRequest, binNs: number, content: T): void {
    this.inFlight.delete(request);
    this.failed = undefined;
    const { fromNs, toNs } = request;
    this.windows.push({ fromNs, toNs, binNs, askedBinNs: request.binNs, content });
    if (this.windows.length > MOST_KEPT) {
      const overviews = this.windows.filter((window) => covers(window, this.bounds)).length;
      const oldest = this.windows.findIndex(
        (window) => overviews > 1 || !covers(window, this.bounds),
      );
      this.windows.splice(oldest, 1);
    }
  }

  /** Notes that there was no answer: the same window is not asked for again until `retry`. */
  failedToArrive(request: WindowRequest): void {
    this.inFlight.delete(request);
    this.failed = request;
  }

  /** Notes that there is no answer, as a newer request took its place: it may be asked for again. */
  superseded(request: WindowRequest): void {
    this.inFlight.delete(request);
  }

  retry(): void {
    this.failed = undefined;
  }

  /** What to draw: disjoint pieces, left to right, as fine as is there. */
  pieces(view: Range, widthPx: number): Piece<T>[] {
    const binNs = quantised(lengthNs(view) / widthPx);
    const covering = this.windows.filter((window) => covers(window, view));
    const whole = best(covering, binNs);
    if (whole !== undefined && suits(whole, binNs)) {
      this.touch(whole);
      return [{ window: whole, ...view }];
    }
    const partial = this.windows
      .filter((window) => suits(window, binNs))
      .map((window) => ({ window, ...overlap(window, view) }))
      .reduce<Piece<T> | undefined>(
        (longest, piece) => (lengthNs(piece) > (longest ? lengthNs(longest) : 0) ? piece : longest),
        undefined,
      );
    if (partial === undefined) {
      return whole === undefined ? [] : [{ window: whole, ...view }];
    }
    this.touch(partial.window);
    const rest =
      whole === undefined
        ? []
        : [
            { window: whole, fromNs: view.fromNs, toNs: partial.fromNs },
            { window: whole, fromNs: partial.toNs, toNs: view.toNs },
          ];
    return [...rest, partial]
      .filter((piece) => lengthNs(piece) > 0)
      .sort((left, right) => left.fromNs - right.fromNs);
  }

  private wanted(view: Range, widthPx: number): WindowRequest | undefined {
    const binNs = quantised(lengthNs(view) / widthPx);
    if (!this.windows.some((window) => covers(window, this.bounds))) {
      return this.request(this.bounds, quantised(lengthNs(this.bounds) / widthPx));
    }
    const needed = this.widened(view, LEAST_MARGIN);
    const asked = this.windows.filter(
      (window) => window.askedBinNs <= binNs || suits(window, binNs),
    );
    const wide = asked.filter((window) => covers(window, needed));
    if (wide.length === 0) {
      return this.request(this.widened(view, MARGIN), binNs);
    }
    const isSharp = wide.some((window) => suits(window, binNs));
    const closeUp = this.widened(view, CLOSE_UP_MARGIN);
    const isClose = asked.some(
      (window) => covers(window, view) && lengthNs(window) <= 2 * lengthNs(closeUp),
    );
    return isSharp || isClose ? undefined : this.request(closeUp, binNs);
  }

  private request(range: Range, binNs: number): WindowRequest {
    const fromNs = Math.floor(range.fromNs);
    const toNs = Math.ceil(range.toNs);
    return { fromNs, toNs, binNs, widthPx: Math.max(1, Math.floor((toNs - fromNs) / binNs)) };
  }

  private widened(view: Range, screens: number): Range {
    const marginNs = lengthNs(view) * screens;
    return overlap({ fromNs: view.fromNs - marginNs, toNs: view.toNs + marginNs }, this.bounds);
  }

  private touch(window: CachedWindow<T>): void {
    this.windows = [...this.windows.filter((other) => other !== window), window];
  }
}

/** The power of two nearest to a pixel. */
export function quantised(nsPerPx: number): number {
  return 2 ** Math.round(Math.log2(nsPerPx));
}

function suits<T>(window: CachedWindow<T>, binNs: number): boolean {
  return window.binNs <= binNs;
}

/** The coarsest that is fine enough, for it has the fewest spans; else the finest. */
function best<T>(windows: CachedWindow<T>[], binNs: number): CachedWindow<T> | undefined {
  const byBin = windows.toSorted((left, right) => left.binNs - right.binNs);
  return byBin.findLast((window) => suits(window, binNs)) ?? byBin[0];
}

function covers(outer: Range, inner: Range): boolean {
  return outer.fromNs <= inner.fromNs && outer.toNs >= inner.toNs;
}

function overlap(left: Range, right: Range): Range {
  return { fromNs: Math.max(left.fromNs, right.fromNs), toNs: Math.min(left.toNs, right.toNs) };
}

function isSame(left: WindowRequest, right: WindowRequest): boolean {
  return left.fromNs === right.fromNs && left.toNs === right.toNs && left.binNs === right.binNs;
}
