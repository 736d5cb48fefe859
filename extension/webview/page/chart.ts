// A drawing that is as wide as there is room, and can be walked through, value by value.

import { element } from "./dom";
import { Tooltip, type TooltipText } from "./tooltip";

/** What can be walked through. */
export interface Walk {
  /** What the chart shows. */
  readonly label: string;
  readonly count: number;
  readonly textOf: (index: number) => TooltipText;
  /** What to do with the value that is chosen, and what that is called. */
  readonly choose?: { readonly title: string; readonly act: (index: number) => void };
}

/** A drawing at a width. */
export interface Drawing {
  readonly root: SVGSVGElement;
  /** Where a value is, in pixels from the top left corner. */
  readonly pointOf: (index: number) => { readonly x: number; readonly y: number };
  /** The value nearest to a point. */
  readonly nearest: (x: number, y: number) => number;
  /** Marks a value; none unmarks. */
  readonly mark: (index: number | undefined) => void;
}

const PAGE_STEPS = 10;

/** A chart in a place of its own, drawn anew when its width changes. */
export class Chart {
  readonly root = element("div", "chart");
  private readonly over = element("div", "walk");
  private readonly tooltip = new Tooltip();
  private drawing: Drawing | undefined;
  private current: number | undefined;
  private widthPx = 0;

  /** @param draw Draws at a width in pixels. */
  constructor(
    private walk: Walk,
    private draw: (widthPx: number) => Drawing,
  ) {
    const { over } = this;
    over.tabIndex = 0;
    // Arrow keys move along a slider, and each value is read aloud.
    over.setAttribute("role", "slider");
    over.addEventListener("keydown", this.step);
    over.addEventListener("pointermove", ({ offsetX, offsetY }) => {
      if (this.drawing !== undefined) this.show(this.drawing.nearest(offsetX, offsetY));
    });
    over.addEventListener("pointerleave", () => {
      this.hide();
    });
    over.addEventListener("focus", () => {
      // A press of the pointer has said already which value is meant.
      if (over.matches(":focus-visible")) this.show(this.current ?? 0);
    });
    over.addEventListener("blur", () => {
      this.hide();
    });
    over.addEventListener("click", () => {
      this.choose();
    });
    this.describe();
    new ResizeObserver(([entry]) => {
      this.redraw(Math.floor(entry?.contentRect.width ?? 0));
    }).observe(this.root);
  }

  /** Shows other values in the same place. */
  change(walk: Walk, draw: (widthPx: number) => Drawing): void {
    this.walk = walk;
    this.draw = draw;
    this.hide();
    this.current = undefined;
    this.describe();
    const widthPx = this.widthPx;
    this.widthPx = 0;
    this.redraw(widthPx);
  }

  private redraw(widthPx: number): void {
    // A tab that is not shown has no width.
    if (widthPx <= 0 || widthPx === this.widthPx) return;
    this.widthPx = widthPx;
    this.hide();
    this.drawing = this.draw(widthPx);
    const { root } = this.drawing;
    root.setAttribute("role", "img");
    root.setAttribute("aria-label", this.walk.label);
    this.root.replaceChildren(root, this.over, this.tooltip.root);
  }

  private describe(): void {
    const { over, walk } = this;
    const { label, count, choose } = walk;
    over.setAttribute("aria-label", `${label}, value by value`);
    over.setAttribute("aria-valuemin", "1");
    over.setAttribute("aria-valuemax", String(Math.max(count, 1)));
    over.classList.toggle("chooses", choose !== undefined);
    if (choose === undefined) over.removeAttribute("aria-description");
    else over.setAttribute("aria-description", `Enter: ${choose.title}`);
    this.tell(0);
  }

  private tell(index: number): void {
    const { title, lines } = this.walk.textOf(index);
    this.over.setAttribute("aria-valuenow", String(index + 1));
    this.over.setAttribute("aria-valuetext", [title, ...lines].join(", "));
  }

  private show(index: number): void {
    const { drawing, walk, over } = this;
    if (drawing === undefined || walk.count === 0) return;
    this.current = index;
    this.tell(index);
    drawing.mark(index);
    const { x, y } = drawing.pointOf(index);
    const { left, top } = over.getBoundingClientRect();
    const { title, lines } = walk.textOf(index);
    const hint = walk.choose === undefined ? [] : [`Click or Enter: ${walk.choose.title}`];
    this.tooltip.show({ title, lines: [...lines, ...hint] }, left + x, top + y);
  }

  private hide(): void {
    this.drawing?.mark(undefined);
    this.tooltip.hide();
  }

  private choose(): void {
    if (this.current !== undefined) this.walk.choose?.act(this.current);
  }

  private readonly step = (event: KeyboardEvent): void => {
    const last = this.walk.count - 1;
    const at = this.current ?? 0;
    if (event.key === "Escape") this.hide();
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose();
      return;
    }
    const to = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      PageUp: at + PAGE_STEPS,
      PageDown: at - PAGE_STEPS,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.show(Math.min(Math.max(to, 0), last));
  };
}
