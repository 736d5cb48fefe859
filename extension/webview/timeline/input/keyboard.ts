// The keyboard, as what it means to the timeline.

import type { Direction } from "../model/finding";
import type { Held } from "../model/motion";

export interface KeyActions {
  readonly press: (key: Held) => void;
  readonly release: (key: Held) => void;
  readonly releaseAll: () => void;
  /** @param isGrowing Whether an area is to reach there. */
  readonly select: (direction: Direction, isGrowing: boolean) => void;
  readonly focusSelection: () => void;
  readonly fit: () => void;
  readonly goToStart: () => void;
  readonly goToEnd: () => void;
  readonly openSource: () => void;
  readonly sumUpView: () => void;
  readonly find: () => void;
  readonly nextMatch: () => void;
  readonly previousMatch: () => void;
  readonly mark: () => void;
  readonly toCause: () => void;
  readonly toEffect: () => void;
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
    r: actions.sumUpView,
    m: actions.mark,
    "/": actions.find,
    n: actions.nextMatch,
    "[": actions.toCause,
    "]": actions.toEffect,
  };
  canvas.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f") {
      actions.find();
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const held = HELD[event.code];
    const direction = DIRECTIONS[event.key];
    if (held !== undefined) {
      // A key that repeats is held already, except where each press is a step of its own.
      actions.press(held);
    } else if (direction !== undefined) {
      actions.select(direction, event.shiftKey);
    } else if (event.key === "N") {
      actions.previousMatch();
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
    } else if (event.key === "Meta") {
      // macOS never tells of a key that is let go while Cmd is held.
      actions.releaseAll();
    }
  });
  canvas.addEventListener("blur", actions.releaseAll);
}
