// The graph as it is drawn: a tree of boxes, each as wide as its time. The tree itself has the focus,
// and says which of its frames is current.

import { element } from "../page/dom";
import { Tooltip } from "../page/tooltip";
import type { FileColours } from "./colours";
import { type Frame, type LaidOut, layOut, neighbour, type Step } from "./frames";
import { type FlameFigures, frameText } from "./frameTexts";

/** As in the style sheet. */
const ROW_PX = 20;
/** Of less than this, nothing could be read, and borders would be all there is. */
const NARROW_PX = 3;

export interface FlameContent {
  readonly label: string;
  readonly frames: readonly Frame[];
  readonly figures: FlameFigures;
  readonly colours: FileColours;
}

export interface FlameActions {
  readonly goToLine: (frame: Frame) => void;
  readonly showOnTimeline: (frame: Frame) => void;
  /** Another frame is current, or fills the width. */
  readonly moved: (current: Frame, filling: Frame) => void;
}

const STEPS = new Map<string, Step>([
  ["ArrowUp", "parent"],
  ["ArrowDown", "child"],
  ["ArrowLeft", "previous"],
  ["ArrowRight", "next"],
]);

export class FlameGraph {
  readonly root = element("div", "flame-graph");
  private readonly inner = element("div", "flame-frames");
  private readonly tooltip = new Tooltip();
  private readonly observer: ResizeObserver;
  private readonly boxes = new Map<number, HTMLElement>();
  private content: FlameContent | undefined;
  private current = 0;
  private filling = 0;
  private found: ReadonlySet<number> | undefined;

  constructor(private readonly actions: FlameActions) {
    this.root.tabIndex = 0;
    this.root.setAttribute("role", "tree");
    this.inner.setAttribute("role", "none");
    this.root.append(this.inner);
    this.root.addEventListener("keydown", this.press);
    this.root.addEventListener("click", this.click);
    this.root.addEventListener("pointermove", this.point);
    this.root.addEventListener("pointerleave", this.leave);
    this.root.addEventListener("blur", this.leave);
    this.observer = new ResizeObserver(() => {
      this.draw();
    });
    this.observer.observe(this.root);
  }

  /** What is shown beside the pointer: it belongs outside of the tree. */
  get over(): HTMLElement {
    return this.tooltip.root;
  }

  dispose(): void {
    this.observer.disconnect();
  }

  show(content: FlameContent): void {
    this.content = content;
    this.found = undefined;
    this.root.setAttribute("aria-label", content.label);
    this.fill(0);
  }

  /** Draws the same in other colours. */
  recolour(colours: FileColours): void {
    if (this.content === undefined) return;
    this.content = { ...this.content, colours };
    this.draw();
  }

  /** Lights up some frames; undefined lights up all. */
  light(found: ReadonlySet<number> | undefined): void {
    this.found = found;
    this.draw();
  }

  /** Has a frame fill the width. */
  fill(number: number): void {
    this.filling = number;
    this.current = number;
    this.root.scrollTop = 0;
    this.draw();
    this.tell();
  }

  private readonly press = (event: KeyboardEvent): void => {
    const { content } = this;
    const frame = content?.frames[this.current];
    if (content === undefined || frame === undefined) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS.get(event.key);
    if (step !== undefined) this.moveTo(neighbour(content.frames, this.current, step));
    else if (event.key === "Home") this.moveTo(0);
    else if (event.key === "Enter") this.actions.goToLine(frame);
    else if (event.key.toLowerCase() === "t") this.actions.showOnTimeline(frame);
    else if (event.key === " ") this.fill(this.current);
    else if ((event.key === "Escape" || event.key === "Backspace") && this.filling !== 0) {
      this.fill(neighbour(content.frames, this.filling, "parent"));
    } else return;
    event.preventDefault();
  };

  private readonly click = (event: MouseEvent): void => {
    const frame = this.frameAt(event);
    if (frame === undefined) return;
    if (event.ctrlKey || event.metaKey) {
      this.moveTo(frame.number);
      this.actions.goToLine(frame);
    } else if (frame.node.others > 0) this.moveTo(frame.number);
    else this.fill(frame.number);
  };

  private readonly point = (event: PointerEvent): void => {
    const frame = this.frameAt(event);
    if (frame === undefined || this.content === undefined) this.leave();
    else {
      this.tooltip.show(frameText(frame.node, this.content.figures), event.clientX, event.clientY);
    }
  };

  private readonly leave = (): void => {
    this.tooltip.hide();
  };

  private frameAt({ target }: Event): Frame | undefined {
    const box = target instanceof Element ? target.closest<HTMLElement>(".frame") : null;
    return box === null ? undefined : this.content?.frames[Number(box.dataset["number"])];
  }

  private moveTo(number: number): void {
    const { content } = this;
    if (content === undefined) return;
    this.current = number;
    const isShown = this.boxes.has(number);
    // What lies beside the frame that fills the width, or is too narrow, is brought in view.
    if (!isShown) {
      this.filling = neighbour(content.frames, number, "parent");
      this.draw();
      if (!this.boxes.has(number)) {
        this.filling = number;
        this.draw();
      }
    }
    this.tell();
  }

  private tell(): void {
    const { content } = this;
    const frame = content?.frames[this.current];
    const filling = content?.frames[this.filling];
    if (content === undefined || frame === undefined || filling === undefined) return;
    for (const box of this.root.querySelectorAll(".current")) {
      box.classList.remove("current");
      box.setAttribute("aria-selected", "false");
    }
    const box = this.boxes.get(this.current);
    if (box !== undefined) {
      box.classList.add("current");
      box.setAttribute("aria-selected", "true");
      box.scrollIntoView({ block: "nearest" });
      this.root.setAttribute("aria-activedescendant", box.id);
      if (document.activeElement === this.root && this.root.matches(":focus-visible")) {
        // Under all frames: those below it are where the keyboard may go next.
        const { left } = box.getBoundingClientRect();
        const { bottom } = this.inner.getBoundingClientRect();
        this.tooltip.show(frameText(frame.node, content.figures), left, bottom);
      }
    }
    this.actions.moved(frame, filling);
  }

  private draw(): void {
    const { content } = this;
    const widthPx = this.root.clientWidth;
    if (content === undefined || widthPx === 0) return;
    this.boxes.clear();
    this.leave();
    const laidOut = layOut(content.frames, this.filling).filter(
      ({ width, frame }) => width * widthPx >= 0.5 || frame.number === this.current,
    );
    const deepest = laidOut.reduce((most, { frame }) => Math.max(most, frame.depth), 0);
    this.inner.style.height = `${(deepest + 1) * ROW_PX}px`;
    // In the order of their numbers, which is that of reading.
    const ordered = [...laidOut].sort((one, other) => one.frame.number - other.frame.number);
    this.inner.replaceChildren(...ordered.map((placed) => this.box(content, placed, widthPx)));
    const box = this.boxes.get(this.current);
    if (box === undefined) this.root.removeAttribute("aria-activedescendant");
    else {
      box.classList.add("current");
      box.setAttribute("aria-selected", "true");
      this.root.setAttribute("aria-activedescendant", box.id);
    }
  }

  private box(
    content: FlameContent,
    { frame, left, width }: LaidOut,
    widthPx: number,
  ): HTMLElement {
    const { node, number, depth, parent, position, children } = frame;
    const isNarrow = width * widthPx < NARROW_PX;
    const isUnlit = this.found?.has(number) === false;
    const classes = [
      "frame",
      ...(node.others > 0 ? ["others"] : []),
      ...(isNarrow ? ["narrow"] : []),
      ...(isUnlit ? ["unlit"] : []),
      ...(this.found?.has(number) === true ? ["lit"] : []),
    ];
    const box = element("div", classes.join(" "), isNarrow ? "" : node.name);
    const { title, lines } = frameText(node, content.figures);
    box.id = `frame-${number}`;
    box.dataset["number"] = String(number);
    box.setAttribute("role", "treeitem");
    box.setAttribute("aria-label", [title, ...lines].join(", "));
    box.setAttribute("aria-level", String(depth + 1));
    box.setAttribute("aria-posinset", String(position + 1));
    box.setAttribute("aria-setsize", String(content.frames[parent]?.children.length ?? 1));
    box.setAttribute("aria-selected", "false");
    if (children.length > 0) box.setAttribute("aria-expanded", "true");
    box.style.top = `${depth * ROW_PX}px`;
    box.style.left = `${left * 100}%`;
    box.style.width = `${width * 100}%`;
    const isPlain = isUnlit || node.others > 0 || number === 0;
    const colour = isPlain ? undefined : content.colours.of(node.file);
    if (colour !== undefined) {
      box.style.backgroundColor = colour.fill;
      box.style.color = colour.text;
    }
    this.boxes.set(number, box);
    return box;
  }
}
