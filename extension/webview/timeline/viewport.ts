import { Motion, type Held } from "./model/motion";
import { boundsOf, clamp, lengthNs, pan, type Range, zoom } from "./model/range";

/** The stretch of time on screen, and everything that moves it. */
export class Viewport {
  readonly bounds: Range;
  private readonly motion: Motion;
  private current: Range;

  constructor(
    startNs: number,
    endNs: number,
    isMotionReduced: () => boolean,
    private readonly changed: () => void,
  ) {
    this.bounds = boundsOf(startNs, endNs);
    this.current = this.bounds;
    this.motion = new Motion(this.bounds, isMotionReduced);
  }

  get range(): Range {
    return this.current;
  }

  get isMoving(): boolean {
    return this.motion.isMoving;
  }

  jumpTo(range: Range): void {
    this.motion.stop();
    this.move(clamp(range, this.bounds));
  }

  glideTo(range: Range): void {
    this.move(this.motion.glideTo(this.current, clamp(range, this.bounds)));
  }

  /** Zooms at once; `anchor` is what stays in place, 0 left to 1 right. */
  zoomAt(factor: number, anchor: number): void {
    this.jumpTo(zoom(this.current, factor, anchor, this.bounds));
  }

  glideZoom(factor: number): void {
    this.glideTo(zoom(this.current, factor, 0.5, this.bounds));
  }

  panBy(screens: number): void {
    this.jumpTo(pan(this.current, screens, this.bounds));
  }

  press(key: Held): void {
    this.move(this.motion.press(key, this.current));
  }

  release(key: Held): void {
    this.motion.release(key);
  }

  /** The moment in the middle of the screen. */
  get middleNs(): number {
    return (this.current.fromNs + this.current.toNs) / 2;
  }

  /** Brings a moment to the middle of the screen. */
  centre(ns: number): void {
    const halfNs = lengthNs(this.current) / 2;
    this.jumpTo({ fromNs: ns - halfNs, toNs: ns + halfNs });
  }

  stop(): void {
    this.motion.stop();
  }

  /** Moves on to a time; to be called once a frame. */
  advance(nowMs: number): void {
    this.current = this.motion.advance(this.current, nowMs);
  }

  private move(range: Range): void {
    this.current = range;
    this.changed();
  }
}
