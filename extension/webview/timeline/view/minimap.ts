// The whole run on a strip: how busy device and host are, and which part of it is in view.

import type { TimelineUtilisation } from "../../../src/protocol";
import { lengthNs, type Range } from "../model/range";
import { bytesOf } from "../model/spans";
import { element } from "../../page/dom";

const SVG = "http://www.w3.org/2000/svg";
const FULL_LEVEL = 255;
const HEIGHT = 100;
const KEY_STEP = 0.1;

export interface MinimapActions {
  /** Moves the view so that its middle is at a time. */
  readonly centre: (ns: number) => void;
  readonly pan: (screens: number) => void;
}

export class Minimap {
  readonly root = element("div", "minimap");
  private readonly picture = document.createElementNS(SVG, "svg");
  private readonly window = element("div", "seen");

  constructor(
    private readonly bounds: Range,
    canvasId: string,
    actions: MinimapActions,
  ) {
    const { root, picture } = this;
    root.tabIndex = 0;
    root.setAttribute("role", "scrollbar");
    root.setAttribute("aria-label", "Part of the run in view");
    root.setAttribute("aria-orientation", "horizontal");
    root.setAttribute("aria-controls", canvasId);
    root.setAttribute("aria-valuemin", "0");
    root.setAttribute("aria-valuemax", "100");
    picture.setAttribute("preserveAspectRatio", "none");
    picture.setAttribute("aria-hidden", "true");
    root.append(picture, this.window);
    const move = (event: PointerEvent): void => {
      const { left, width } = root.getBoundingClientRect();
      const part = Math.min(Math.max((event.clientX - left) / width, 0), 1);
      actions.centre(bounds.fromNs + part * lengthNs(bounds));
    };
    root.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      root.setPointerCapture(event.pointerId);
      move(event);
    });
    root.addEventListener("pointermove", (event) => {
      if (root.hasPointerCapture(event.pointerId)) move(event);
    });
    root.addEventListener("keydown", ({ key }) => {
      if (key === "ArrowLeft") actions.pan(-KEY_STEP);
      if (key === "ArrowRight") actions.pan(KEY_STEP);
      if (key === "PageUp") actions.pan(-1);
      if (key === "PageDown") actions.pan(1);
      if (key === "Home") actions.pan(-Infinity);
      if (key === "End") actions.pan(Infinity);
    });
  }

  /** Draws how busy groups are, one over the other. */
  draw({ width, groups }: TimelineUtilisation): void {
    this.picture.setAttribute("viewBox", `0 0 ${width} ${HEIGHT * groups.length}`);
    const shapes = groups.map(({ levels }, index) => {
      const bottom = HEIGHT * (index + 1);
      let path = `M0 ${bottom}`;
      bytesOf(levels).forEach((level, pixel) => {
        const y = bottom - Math.ceil((level / FULL_LEVEL) * (HEIGHT - 10));
        path += `V${y}H${pixel + 1}`;
      });
      const shape = document.createElementNS(SVG, "path");
      shape.setAttribute("d", `${path}V${bottom}Z`);
      return shape;
    });
    this.picture.replaceChildren(...shapes);
  }

  /** Shows which part is in view. */
  show(view: Range): void {
    const whole = lengthNs(this.bounds);
    const left = (100 * (view.fromNs - this.bounds.fromNs)) / whole;
    const width = (100 * lengthNs(view)) / whole;
    this.window.style.left = `${left}%`;
    this.window.style.width = `${width}%`;
    const middle = Math.round(left + width / 2);
    this.root.setAttribute("aria-valuenow", String(middle));
  }
}
