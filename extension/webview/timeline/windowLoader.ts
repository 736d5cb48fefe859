import type { Asking } from "./asking";
import type { Range } from "./model/range";
import { decodeSpans, type Spans } from "./model/spans";
import { type Piece, WindowCache, type WindowRequest } from "./model/windows";

/** Has the windows that the view needs, or asks for them. */
export class WindowLoader {
  /** Why the last window did not come, as a sentence. */
  problem: string | undefined;
  private readonly cache: WindowCache<Spans>;

  constructor(
    private readonly directory: string,
    bounds: Range,
    private readonly asking: Asking,
    private readonly changed: () => void,
  ) {
    this.cache = new WindowCache(bounds);
  }

  /** What is there to draw of a view; asks for what is missing. */
  pieces(view: Range, widthPx: number): Piece<Spans>[] {
    const request = this.cache.next(view, widthPx);
    if (request !== undefined) {
      void this.load(request);
    }
    return this.cache.pieces(view, widthPx);
  }

  retry(): void {
    this.problem = undefined;
    this.cache.retry();
    this.changed();
  }

  private async load(request: WindowRequest): Promise<void> {
    const { fromNs, toNs, widthPx } = request;
    try {
      const window = await this.asking.window({
        directory: this.directory,
        fromNs,
        toNs,
        width: widthPx,
      });
      this.cache.arrived(request, window.binNs, decodeSpans(window));
      this.problem = undefined;
    } catch (error) {
      this.cache.failedToArrive(request);
      this.problem = error instanceof Error ? error.message : String(error);
    }
    this.changed();
  }
}
