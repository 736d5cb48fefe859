// What is under the pointer: its outline, and what the tooltip says of it.

import type { Description } from "./model/described";
import type { Found } from "./model/finding";
import { describeQuantity, isQuantity } from "./quantities";
import type { Box } from "./render/renderer";
import type { Scene } from "./scene";
import { boxOf } from "./selection";
import type { Tooltip } from "../page/tooltip";

export class Pointing {
  hovered: Box | undefined;

  constructor(
    private readonly scene: Scene,
    private readonly tooltip: Tooltip,
    private readonly describe: (found: Found) => Description,
  ) {}

  at(x: number, y: number): void {
    const found = this.scene.spanAt(x, y);
    const text = found === undefined ? this.quantityAt(x, y) : this.describe(found);
    if (text === undefined) {
      this.leave();
      return;
    }
    const { left, top } = this.scene.stage.canvas.getBoundingClientRect();
    this.tooltip.show(text, left + x, top + y);
    this.hovered = found === undefined ? undefined : boxOf(found);
    this.scene.changed();
  }

  readonly leave = (): void => {
    this.tooltip.hide();
    this.hovered = undefined;
    this.scene.changed();
  };

  private quantityAt(x: number, y: number): Description | undefined {
    const { block, ns } = this.scene.placeAt(x, y);
    return isQuantity(block) ? describeQuantity(this.scene, block, ns) : undefined;
  }
}
