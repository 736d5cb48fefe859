// The chart: drawn to fit its place, and walked by pointer and keyboard.

import type { RooflineDot, Roofs } from "../../src/documents";
import { element } from "../page/dom";
import { svg } from "../page/svg";
import { Tooltip } from "../page/tooltip";
import { type Drawn, drawPlane, drawTicks } from "./drawing";
import { arrowsOf, type Movement } from "./movement";
import { largestRadius, markAt, marksOf, type Mark } from "./model/marks";
import { isCharted, Plane, type Point, type Size } from "./model/plane";

/** What a chart is of. */
export interface ChartContent {
  readonly roofs: Roofs | null;
  /** Largest device time first. */
  readonly dots: readonly RooflineDot[];
  readonly whole: RooflineDot | null;
  /** What a screen reader says of it. */
  readonly label: string;
  /** What a dot's tooltip says under its name. */
  readonly linesOf: (dot: RooflineDot) => readonly string[];
  /** What shapes and sizes mean, by the radius of the largest dot. */
  readonly legend: (largestPx: number) => HTMLElement;
  /** What moved since the baseline; undefined where there is none. */
  readonly movement: Movement | undefined;
}

export interface ChartActions {
  readonly goToLine: (file: string, line: number) => void;
  readonly showOnTimeline: (file: string, line: number) => void;
}

/** A dot at its place, the whole program's too. */
interface Spot extends Point {
  readonly dot: RooflineDot;
  readonly radius: number;
}

const MARGIN = { left: 86, right: 12, top: 10, bottom: 40 } as const;
const LEAST_HEIGHT_PX = 300;
const MOST_HEIGHT_PX = 560;
const WHOLE_RADIUS_PX = 9;
const FOCUS_PX = 4;
/** From more dots than this on each is paler. */
const CROWD = 150;

export class RooflineChart {
  readonly root = element("div", "roofline-place");
  /** What has the keyboard. */
  private readonly stage = element("div", "roofline-chart");
  private readonly tooltip = new Tooltip();
  private readonly live = element("div", "live");
  private readonly observer: ResizeObserver;
  private spots: readonly Spot[] = [];
  private plane: SVGGElement | undefined;
  private ring: SVGElement | undefined;
  private current: number | undefined;
  private widthPx = 0;

  constructor(
    private content: ChartContent,
    private readonly actions: ChartActions,
  ) {
    this.root.append(this.stage);
    this.stage.tabIndex = 0;
    this.stage.setAttribute("role", "application");
    this.stage.setAttribute("aria-roledescription", "chart");
    this.live.setAttribute("aria-live", "polite");
    this.stage.addEventListener("pointermove", this.point);
    this.stage.addEventListener("pointerleave", this.leave);
    this.stage.addEventListener("click", this.click);
    this.stage.addEventListener("keydown", this.press);
    this.stage.addEventListener("blur", this.leave);
    this.observer = new ResizeObserver(() => {
      if (this.stage.clientWidth !== this.widthPx) this.draw();
    });
    this.observer.observe(this.stage);
  }

  /** Shows something else. */
  show(content: ChartContent): void {
    this.content = content;
    this.leave();
    this.draw();
  }

  /** Marks a dot, without a tooltip. */
  mark(dot: RooflineDot | undefined): void {
    const found = this.spots.findIndex((spot) => spot.dot === dot);
    this.current = found < 0 ? undefined : found;
    this.showRing();
  }

  dispose(): void {
    this.observer.disconnect();
  }

  private draw(): void {
    this.widthPx = this.stage.clientWidth;
    if (this.widthPx === 0) return;
    const { roofs, dots, whole, label, movement } = this.content;
    const height = Math.min(MOST_HEIGHT_PX, Math.max(LEAST_HEIGHT_PX, this.widthPx * 0.5));
    const size = {
      width: Math.max(60, this.widthPx - MARGIN.left - MARGIN.right),
      height: height - MARGIN.top - MARGIN.bottom,
    };
    const charted = dots.filter(isCharted);
    const wholes = whole !== null && isCharted(whole) ? [whole] : [];
    const before = movement?.before.filter(isCharted) ?? [];
    const plane = new Plane(size, roofs, [...charted, ...wholes, ...before]);
    const times = charted.map((dot) => dot.device_ns);
    const largestPx = largestRadius(size, times);
    const marks = marksOf(charted, plane, largestPx);
    const [all] = wholes.map((dot) => ({
      ...plane.at(dot.intensity, dot.achieved_flops_per_s),
      dot,
      name: dot.name,
      radius: WHOLE_RADIUS_PX,
    }));
    const dtypes = new Set(charted.map(({ dtype }) => dtype ?? ""));
    const between = movement === undefined ? [] : arrowsOf(movement, plane);
    const drawn: Drawn = { plane, roofs, marks, whole: all, dtypes, between };
    this.stage.classList.toggle("crowded", marks.length > CROWD);
    this.fill(drawn, height, label, largestPx);
    this.spots = [...(all === undefined ? [] : [all]), ...marks];
    if (movement !== undefined) this.dim(marks, movement);
    this.showRing();
  }

  private fill(drawn: Drawn, height: number, label: string, largestPx: number): void {
    const { width, height: planeHeight } = drawn.plane.size;
    const legend = this.content.legend(largestPx);
    this.root.replaceChildren(this.stage, legend);
    this.plane = svg("g", { transform: `translate(${MARGIN.left} ${MARGIN.top})` });
    const picture = svg(
      "svg",
      { width: this.widthPx, height, role: "img", "aria-label": label },
      this.plane,
    );
    this.stage.setAttribute("aria-label", `${label} Arrow keys walk the dots.`);
    this.stage.replaceChildren(picture, this.tooltip.root, this.live);
    const sample = svg("text", { class: "name" });
    this.plane.append(sample);
    const measure = (text: string): Size => {
      sample.textContent = text;
      return { width: sample.getComputedTextLength(), height: 15 };
    };
    const parts = drawPlane(drawn, measure);
    sample.remove();
    this.plane.append(
      ...parts,
      svg("g", { class: "ticks" }, ...drawTicks(drawn.plane)),
      svg(
        "text",
        { class: "axis", x: width / 2, y: planeHeight + 34, "text-anchor": "middle" },
        "Arithmetic intensity, FLOP/byte",
      ),
    );
  }

  private dim(marks: readonly Mark[], movement: Movement): void {
    for (const shape of this.plane?.querySelectorAll<SVGElement>("[data-dot]") ?? []) {
      const mark = marks[Number(shape.dataset["dot"])];
      shape.classList.toggle("dimmed", mark !== undefined && !movement.matched.has(mark.dot));
    }
  }

  /** Draws a ring around the current dot. */
  private showRing(): void {
    this.ring?.remove();
    this.ring = undefined;
    const spot = this.spot();
    if (spot === undefined) return;
    const { x: cx, y: cy, radius } = spot;
    this.ring = svg("circle", { class: "current", cx, cy, r: radius + FOCUS_PX });
    this.plane?.append(this.ring);
  }

  private spot(): Spot | undefined {
    return this.current === undefined ? undefined : this.spots[this.current];
  }

  private readonly point = (event: PointerEvent): void => {
    const spot = markAt(this.spots, this.inPlane(event));
    this.current = spot === undefined ? undefined : this.spots.indexOf(spot);
    this.stage.classList.toggle("pointed", typeof spot?.dot.file === "string");
    this.showRing();
    if (spot === undefined) this.tooltip.hide();
    else this.tooltip.show(this.told(spot.dot), event.clientX, event.clientY);
  };

  private readonly leave = (): void => {
    this.current = undefined;
    this.showRing();
    this.tooltip.hide();
  };

  private readonly click = (event: MouseEvent): void => {
    const spot = markAt(this.spots, this.inPlane(event));
    if (spot !== undefined) this.go(spot.dot, event.shiftKey ? "timeline" : "line");
  };

  private readonly press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.spots.length - 1;
    const current = this.current ?? -1;
    const to = {
      ArrowRight: Math.min(last, current + 1),
      ArrowDown: Math.min(last, current + 1),
      ArrowLeft: Math.max(0, current - 1),
      ArrowUp: Math.max(0, current - 1),
      Home: 0,
      End: last,
    }[event.key];
    const spot = this.spot();
    if (to !== undefined && last >= 0) {
      this.walkTo(to);
    } else if (event.key === "Escape" && spot !== undefined) {
      this.leave();
    } else if (event.key === "Enter" && spot !== undefined) {
      this.go(spot.dot, event.shiftKey ? "timeline" : "line");
    } else if (event.key.toLowerCase() === "t" && spot !== undefined) {
      this.go(spot.dot, "timeline");
    } else {
      return;
    }
    event.preventDefault();
  };

  private walkTo(index: number): void {
    const spot = this.spots[index];
    if (spot === undefined) return;
    this.current = index;
    this.showRing();
    const { left, top } = this.stage.getBoundingClientRect();
    const [x, y] = [left + MARGIN.left + spot.x, top + MARGIN.top + spot.y];
    this.tooltip.show(this.told(spot.dot), x, y);
    const place = `${String(index + 1)} of ${String(this.spots.length)}`;
    const said = [spot.dot.name, ...this.content.linesOf(spot.dot), place];
    this.live.textContent = said.join(". ");
  }

  private go({ file, line }: RooflineDot, where: "line" | "timeline"): void {
    if (file === null || line === null) return;
    if (where === "line") this.actions.goToLine(file, line);
    else this.actions.showOnTimeline(file, line);
  }

  private told(dot: RooflineDot): { readonly title: string; readonly lines: readonly string[] } {
    const keys = "Enter or click: its line. T or Shift+click: the timeline.";
    const lines = this.content.linesOf(dot);
    return { title: dot.name, lines: dot.file === null ? lines : [...lines, keys] };
  }

  private inPlane({ clientX, clientY }: MouseEvent): Point {
    const { left, top } = this.stage.getBoundingClientRect();
    return { x: clientX - left - MARGIN.left, y: clientY - top - MARGIN.top };
  }
}
