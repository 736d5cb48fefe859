// The keyboard, as what it means to the timeline.

import type { Direction } from "../model/finding";
import type { Held } from "../model/motion";

export interface KeyActions {
  readonly press: (key: Held) => void;
  readonly release: (key: Held) => void;
  readonly releaseAll: () => void;
  readonly select: (direction: Direction) => void;
  readonly focusSelection: () => void;
  readonly fit: () => void;
  readonly goToStart: () => void;
  readonly goToEnd: () => void;
  readonly openSource: () => void;
  readonly clear: () => void;
}

/** By physical key, so that they lie the same on every keyboard layout. */
const HELD: Readonly<Record<string, Held>> = {
  KeyW: "zoomIn",
  KeyS: "zoomOut",
  KeyA: "panLeft",
  KeyD: "panRight",
};
const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: "previous",
  ArrowRight: "next",
  ArrowUp: "outward",
  ArrowDown: "inward",
};

export function listenToKeys(canvas: HTMLCanvasElement, actions: KeyActions): void {
  const pressed: Readonly<Record<string, () => void>> = {
    f: actions.focusSelection,
    "0": actions.fit,
    Home: actions.goToStart,
    End: actions.goToEnd,
    Enter: actions.openSource,
    Escape: actions.clear,
  };
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const held = HELD[event.code];
    const direction = DIRECTIONS[event.key];
    if (held !== undefined) {
      // A key that repeats is held already, except where each press is a step of its own.
      actions.press(held);
    } else if (direction !== undefined) {
      actions.select(direction);
    } else {
      const action = pressed[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (action === undefined) {
        return;
      }
      action();
    }
    event.preventDefault();
  });
  canvas.addEventListener("keyup", (event) => {
    const held = HELD[event.code];
    if (held !== undefined) {
      actions.release(held);
    }
  });
  canvas.addEventListener("blur", actions.releaseAll);
}
