// The part of the page that scrolls: track names on the left, the canvas beside them. Scrolling up
// and down is the browser's own; the canvas stays in place and draws what is scrolled to.

import { type Block, blockName, type Layout } from "../model/layout";
import { button, element } from "../../page/dom";

export interface StageActions {
  readonly scrolled: () => void;
  readonly resized: () => void;
  readonly toggle: (key: string) => void;
}

export class Stage {
  readonly canvas = element("canvas", "canvas");
  readonly root: HTMLElement;
  private readonly corner = element("div", "corner");
  private readonly gutter = element("div", "gutter", this.corner);
  /** The names' buttons, by their blocks' keys. */
  private names = new Map<string, HTMLElement>();
  private readonly observer: ResizeObserver;

  constructor(
    label: string,
    private readonly rulerPx: number,
    private readonly actions: StageActions,
  ) {
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-roledescription", "timeline");
    this.canvas.setAttribute("aria-label", label);
    this.corner.style.height = `${rulerPx}px`;
    this.root = element("div", "stage", this.gutter, this.canvas);
    this.root.addEventListener("scroll", actions.scrolled, { passive: true });
    this.observer = new ResizeObserver(actions.resized);
    this.observer.observe(this.root);
  }

  get widthPx(): number {
    return Math.max(1, this.root.clientWidth - this.gutter.offsetWidth);
  }

  get heightPx(): number {
    return Math.max(1, this.root.clientHeight);
  }

  get scrollTop(): number {
    return this.root.scrollTop;
  }

  set scrollTop(px: number) {
    this.root.scrollTop = px;
  }

  /** How wide the tracks' names are. */
  get gutterPx(): number {
    return this.gutter.offsetWidth;
  }

  get base(): string {
    return this.corner.textContent;
  }

  /** What the ruler's offsets count from. */
  set base(text: string) {
    if (this.corner.textContent !== text) {
      this.corner.textContent = text;
    }
  }

  /** Names the tracks; the name that has the keyboard keeps it. */
  show(layout: Layout): void {
    const focused = [...this.names].find(([, name]) => name === document.activeElement)?.[0];
    this.names = new Map(layout.blocks.map((block) => [block.key, this.name(block)]));
    this.gutter.style.height = `${this.rulerPx + layout.height}px`;
    this.gutter.replaceChildren(this.corner, ...this.names.values());
    if (focused !== undefined) {
      this.names.get(focused)?.focus({ preventScroll: true });
    }
  }

  /** Scrolls no further than needed to see a part of the tracks. */
  reveal(top: number, height: number): void {
    const room = this.heightPx - this.rulerPx;
    if (top < this.scrollTop) {
      this.scrollTop = top;
    } else if (top + height > this.scrollTop + room) {
      this.scrollTop = top + height - room;
    }
  }

  dispose(): void {
    this.observer.disconnect();
  }

  private name(block: Block): HTMLElement {
    const text = blockName(block);
    const made = button("", `name ${block.type}`, () => {
      this.actions.toggle(block.key);
    });
    // Names of one device begin alike: how they end tells them apart.
    const isOfDevice = block.type === "track" && block.track.kind === "device";
    const own = isOfDevice ? text.lastIndexOf(": ") + 1 : 0;
    made.append(element("span", "owner", text.slice(0, own)), element("span", "", text.slice(own)));
    made.title = text;
    made.setAttribute("aria-expanded", String(!block.collapsed));
    made.disabled = block.type === "counter" || (block.type === "track" && block.track.depth === 1);
    made.style.top = `${this.rulerPx + block.top}px`;
    made.style.height = `${block.height}px`;
    return made;
  }
}
