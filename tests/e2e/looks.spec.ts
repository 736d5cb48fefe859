// How the pages look, in each kind of theme, against pictures that somebody has looked at:
// tests/e2e/looks/. `make looks` takes them anew.

import { type FrameLocator, expect } from "@playwright/test";

import { TAB_NAMES } from "../../extension/webview/analysis/tabNames";
import type { Editor } from "./support/editor";
import { test } from "./support/fixtures";
import { openFixedTrace } from "./support/fixedTrace";
import { THEMES } from "./support/themes";

// Fonts are drawn a little differently from one machine to the next; colours and places are not.
const ALIKE = { threshold: 0.25, maxDiffPixelRatio: 0.005 };

for (const [name, theme] of Object.entries(THEMES)) {
  test.describe(name, () => {
    test.use({ settings: { "workbench.colorTheme": theme } });

    test(`the pages, ${name}`, async ({ workspace, open }) => {
      openFixedTrace(workspace);
      const editor = await open({ file: "train.py" });
      await editor.palette("Sidelight: Show Analysis");
      await editor.maximizePanel(true);
      const { frame } = editor.analysis;
      await expect(frame.getByRole("heading", { name: "fixed" })).toBeVisible();
      for (const tab of TAB_NAMES) {
        await frame.locator(`#tab-${tab}`).click();
        await looksAsBefore(editor, frame, `${tab}-${name}`);
      }
      await editor.palette("Sidelight: Show Timeline");
      await expect(editor.timeline.canvas).toBeVisible();
      await looksAsBefore(editor, editor.timeline.frame, `timeline-${name}`);
    });
  });
}

async function looksAsBefore(editor: Editor, frame: FrameLocator, picture: string): Promise<void> {
  // Nothing is under the mouse.
  await editor.page.mouse.move(700, 5);
  await expect(frame.locator("body")).toHaveScreenshot(`${picture}.png`, ALIKE);
}
