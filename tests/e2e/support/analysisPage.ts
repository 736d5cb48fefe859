// The analysis' page, wherever in the editor it is shown.

import { type FrameLocator, type Locator, type Page, expect } from "@playwright/test";

import { pageFrame } from "./pageFrame";

export class AnalysisPage {
  readonly frame: FrameLocator;

  constructor(page: Page) {
    this.frame = pageFrame(page);
  }

  /** What the current tab shows. */
  get panel(): Locator {
    return this.frame.getByRole("tabpanel");
  }

  /** Brings a tab up. */
  async showTab(name: string): Promise<void> {
    await this.frame.getByRole("tab", { name }).click();
    await expect(this.frame.getByRole("tabpanel", { name })).toBeVisible();
  }
}
