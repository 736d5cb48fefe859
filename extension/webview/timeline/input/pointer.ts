// The mouse, the pen, the finger and the wheel, as what they mean to the timeline.

/** What pointers do; positions are in pixels from the canvas's top left corner. */
export interface PointerActions {
  zoomAt(factor: number, x: number): void;
  panBy(px: number): void;
  scrollBy(px: number): void;
  grab(): void;
  /** A press with Shift begins an area, which reaches to where the pointer is let go. */
  area(from: Point, to: Point): void;
  areaDone(): void;
  hover(x: number, y: number): void;
  leave(): void;
  /** @param isWithKey Whether the key was held that follows links: Ctrl, or Cmd. */
  click(x: number, y: number, isWithKey: boolean): void;
  /** Follows the click that selected something: what is under the pointer by now may be another. */
  doubleClick(): void;
}

/** In pixels from the canvas's top left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A press that moves further is a drag. */
const DRAG_PX = 4;
const WHEEL_LINE_PX = 20;
const MOST_ZOOM_PX = 40;
const ZOOM_A_PX = 0.01;

export function listenToPointer(canvas: HTMLCanvasElement, actions: PointerActions): void {
  let last: { x: number; y: number } | undefined;
  let dragging = false;
  let areaFrom: Point | undefined;

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button === 0) {
      last = { x: event.clientX, y: event.clientY };
      dragging = false;
      areaFrom = event.shiftKey ? { x: event.offsetX, y: event.offsetY } : undefined;
      canvas.setPointerCapture(event.pointerId);
      actions.grab();
    }
  });
  canvas.addEventListener("pointermove", (event) => {
    if (last === undefined) {
      actions.hover(event.offsetX, event.offsetY);
      return;
    }
    const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
    if (dragging || Math.hypot(dx, dy) >= DRAG_PX) {
      dragging = true;
      actions.leave();
      if (areaFrom !== undefined) {
        actions.area(areaFrom, { x: event.offsetX, y: event.offsetY });
        return;
      }
      canvas.classList.add("dragging");
      last = { x: event.clientX, y: event.clientY };
      actions.panBy(-dx);
      actions.scrollBy(-dy);
    }
  });
  const release = (): void => {
    if (areaFrom !== undefined && dragging) actions.areaDone();
    last = undefined;
    areaFrom = undefined;
    canvas.classList.remove("dragging");
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => {
    actions.leave();
  });
  canvas.addEventListener("click", (event) => {
    if (!dragging && event.detail < 2) {
      actions.click(event.offsetX, event.offsetY, event.ctrlKey || event.metaKey);
    }
  });
  canvas.addEventListener("dblclick", () => {
    actions.doubleClick();
  });
  canvas.addEventListener(
    "wheel",
    (event) => {
      actions.leave();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : WHEEL_LINE_PX;
      const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const capped = Math.min(Math.max(dy, -MOST_ZOOM_PX), MOST_ZOOM_PX);
        actions.zoomAt(Math.exp(capped * ZOOM_A_PX), event.offsetX);
      } else if (event.shiftKey) {
        event.preventDefault();
        // Some systems turn the wheel sideways themselves while Shift is held.
        actions.panBy(dx === 0 ? dy : dx);
      } else if (dx !== 0) {
        event.preventDefault();
        actions.panBy(dx);
        actions.scrollBy(dy);
      }
      // A plain turn of the wheel scrolls the tracks: the browser does it.
    },
    { passive: false },
  );
}
