import { element } from "./dom";

const OFFSET_PX = 14;
const EDGE_PX = 6;

/** What a tooltip says: a name, and lines about it. */
export interface TooltipText {
  readonly title: string;
  readonly lines: readonly string[];
}

/** The box beside the pointer that tells what is under it. */
export class Tooltip {
  readonly root = element("div", "tooltip");

  constructor() {
    this.root.setAttribute("role", "tooltip");
    this.hide();
  }

  /** Shows a text near a point of the page, inside the page. */
  show({ title, lines }: TooltipText, x: number, y: number): void {
    this.root.replaceChildren(
      element("strong", "", title),
      ...lines.map((line) => element("div", "", line)),
    );
    this.root.hidden = false;
    const { offsetWidth, offsetHeight } = this.root;
    const roomRight = window.innerWidth - offsetWidth - EDGE_PX;
    const left = x + OFFSET_PX <= roomRight ? x + OFFSET_PX : x - OFFSET_PX - offsetWidth;
    const below = y + OFFSET_PX + offsetHeight <= window.innerHeight - EDGE_PX;
    const top = below ? y + OFFSET_PX : y - OFFSET_PX - offsetHeight;
    this.root.style.left = `${Math.max(EDGE_PX, left)}px`;
    this.root.style.top = `${Math.max(EDGE_PX, top)}px`;
  }

  hide(): void {
    this.root.hidden = true;
  }
}
