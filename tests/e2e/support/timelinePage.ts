// The timeline's page, wherever in the editor it is shown.

import { type FrameLocator, type Locator, type Page, expect } from "@playwright/test";

import { pageFrame } from "./pageFrame";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export class TimelinePage {
  readonly frame: FrameLocator;
  readonly canvas: Locator;
  readonly tooltip: Locator;
  readonly details: Locator;

  constructor(page: Page) {
    this.frame = pageFrame(page);
    this.canvas = this.frame.getByRole("application");
    this.tooltip = this.frame.getByRole("tooltip");
    this.details = this.frame.getByRole("complementary", { name: "Details" });
  }

  /** A point, in the canvas's middle from left to right, whose tooltip says this. */
  async findInMiddle(text: string): Promise<Point> {
    let found: Point | undefined;
    // What is drawn may still be on its way from the server.
    await expect(async () => {
      found = await this.lookInMiddle(text);
      expect(found, `a tooltip in the timeline's middle that says ${text}`).toBeDefined();
    }).toPass();
    return found ?? { x: 0, y: 0 };
  }

  private async lookInMiddle(text: string): Promise<Point | undefined> {
    const size = await this.size();
    for (let y = 4; y < size.y; y += 6) {
      const point = { x: Math.round(size.x / 2), y };
      if ((await this.tooltipAt(point))?.includes(text) === true) {
        return point;
      }
    }
    return undefined;
  }

  /** What the tooltip says at a point; undefined where there is none. */
  async tooltipAt(point: Point): Promise<string | undefined> {
    await this.canvas.hover({ position: point });
    return (await this.tooltip.isVisible()) ? await this.tooltip.innerText() : undefined;
  }

  /** The colour of a pixel: red, green, blue. */
  async colourAt({ x, y }: Point): Promise<readonly number[]> {
    return await this.canvas.evaluate(
      (canvas: HTMLCanvasElement, [x, y]) => {
        const scale = canvas.width / canvas.clientWidth;
        const context = canvas.getContext("2d");
        return [...(context?.getImageData(x * scale, y * scale, 1, 1).data ?? [])].slice(0, 3);
      },
      [x, y] as const,
    );
  }

  /** Drags what is drawn sideways. */
  async drag(from: Point, byPx: number): Promise<void> {
    const box = await this.canvas.boundingBox();
    expect(box).not.toBeNull();
    const mouse = this.canvas.page().mouse;
    const [left, top] = [box?.x ?? 0, box?.y ?? 0];
    await mouse.move(left + from.x, top + from.y);
    await mouse.down();
    await mouse.move(left + from.x + byPx, top + from.y, { steps: 8 });
    await mouse.up();
  }

  private async size(): Promise<Point> {
    return await this.canvas.evaluate((canvas) => ({
      x: canvas.clientWidth,
      y: canvas.clientHeight,
    }));
  }
}
