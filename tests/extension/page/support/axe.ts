// What axe finds on a page.

import { readFileSync } from "node:fs";

import type { Page } from "@playwright/test";
import type { AxeResults } from "axe-core";

// Tests run from the top of the checkout.
const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

/** What is wrong with a page as it is, in a line each. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate<AxeResults>("axe.run()");
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" ")}`,
  );
}
