// What a page shows, wherever in the editor it is.

import type { FrameLocator, Page } from "@playwright/test";

/** The frame of the extension's page in view: those that are hidden keep theirs. */
export function pageFrame(page: Page): FrameLocator {
  return page
    .locator('iframe.webview[src*="extensionId=sidelight.sidelight"]')
    .filter({ visible: true })
    .contentFrame()
    .frameLocator("#active-frame");
}
