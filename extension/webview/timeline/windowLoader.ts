import { SupersededError } from "../page/asking";
import type { Range } from "./model/range";
import { type Piece, WindowCache, type WindowRequest } from "./model/windows";

/** What came of a request: events shorter than `binNs` are merged in it. */
export interface Loaded<T> {
  readonly binNs: number;
  readonly content: T;
}

/** Has the windows that the view needs, or asks for them. */
export class WindowLoader<T> {
  /** Why the last window did not come, as a sentence. */
  problem: string | undefined;
  private readonly cache: WindowCache<T>;

  constructor(
    bounds: Range,
    private readonly ask: (request: WindowRequest) => Promise<Loaded<T>>,
    private readonly changed: () => void,
  ) {
    this.cache = new WindowCache(bounds);
  }

  /** What is there to draw of a view; asks for what is missing. */
  pieces(view: Range, widthPx: number): Piece<T>[] {
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
    try {
      const { binNs, content } = await this.ask(request);
      this.cache.arrived(request, binNs, content);
      this.problem = undefined;
    } catch (error) {
      if (error instanceof SupersededError) {
        this.cache.superseded(request);
      } else {
        this.cache.failedToArrive(request);
        this.problem = error instanceof Error ? error.message : String(error);
      }
    }
    this.changed();
  }
}
