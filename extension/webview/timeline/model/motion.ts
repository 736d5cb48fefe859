// Movement over time: glides to a range, and zooming and panning for as long as keys are held.

import { between, pan, type Range, zoom } from "./range";

/** What a held key does. */
export type Held = "zoomIn" | "zoomOut" | "panLeft" | "panRight";

const GLIDE_MS = 180;
const ZOOM_A_SECOND = 5;
const SCREENS_A_SECOND = 1.1;
/** What one press does where motion is unwelcome. */
const PRESS_MS = 160;
/** A frame that took longer moves no further than this. */
const LONGEST_FRAME_MS = 50;

interface Glide {
  readonly start: Range;
  readonly end: Range;
  beganMs: number | undefined;
}

export class Motion {
  private glide: Glide | undefined;
  private readonly held = new Set<Held>();
  private lastMs: number | undefined;

  constructor(
    private readonly bounds: Range,
    private readonly isReduced: () => boolean,
  ) {}

  /** Goes from one range to another; returns where to be at once. */
  glideTo(start: Range, end: Range): Range {
    if (this.isReduced()) {
      this.stop();
      return end;
    }
    this.glide = { start, end, beganMs: undefined };
    return start;
  }

  /** A key went down; returns where to be at once. */
  press(key: Held, range: Range): Range {
    this.glide = undefined;
    if (this.isReduced()) {
      return this.moved(range, key, PRESS_MS);
    }
    this.held.add(key);
    return range;
  }

  release(key: Held): void {
    this.held.delete(key);
  }

  /** Ends every movement, as when the pointer takes over or the page loses the keyboard. */
  stop(): void {
    this.glide = undefined;
    this.held.clear();
  }

  get isMoving(): boolean {
    return this.glide !== undefined || this.held.size > 0;
  }

  /** Where the range is at a time. */
  advance(range: Range, nowMs: number): Range {
    const frameMs = Math.min(nowMs - (this.lastMs ?? nowMs), LONGEST_FRAME_MS);
    this.lastMs = this.isMoving ? nowMs : undefined;
    if (this.glide !== undefined) {
      return this.glided(this.glide, nowMs);
    }
    let moved = range;
    for (const key of this.held) {
      moved = this.moved(moved, key, frameMs);
    }
    return moved;
  }

  private glided(glide: Glide, nowMs: number): Range {
    glide.beganMs ??= nowMs;
    const progress = (nowMs - glide.beganMs) / GLIDE_MS;
    if (progress >= 1) {
      this.glide = undefined;
      return glide.end;
    }
    return between(glide.start, glide.end, 1 - (1 - progress) ** 3);
  }

  private moved(range: Range, key: Held, ms: number): Range {
    const seconds = ms / 1e3;
    switch (key) {
      case "zoomIn":
        return zoom(range, ZOOM_A_SECOND ** -seconds, 0.5, this.bounds);
      case "zoomOut":
        return zoom(range, ZOOM_A_SECOND ** seconds, 0.5, this.bounds);
      case "panLeft":
        return pan(range, -SCREENS_A_SECOND * seconds, this.bounds);
      case "panRight":
        return pan(range, SCREENS_A_SECOND * seconds, this.bounds);
    }
  }
}
