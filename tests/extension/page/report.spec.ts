// The HTML report on paper: all of it is there, and can be read, whatever the screen's colours are.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { expect, type Page, test as base } from "@playwright/test";

import { fixedTrace } from "../../e2e/support/fixedTrace";
import { violations } from "./support/axe";

const PYTHON = resolve(".venv/bin/python");
/** A4 upright, between margins of a centimetre. */
const PAPER = { width: 718, height: 1047 };
/** A name that no column has room for, as templates of kernels have them. */
const LONG = `a_kernel_of_${"many_parts_".repeat(20)}<float, ${"Vec<4, ".repeat(20)}int>>`;

interface Reports {
  /** Reports by what they are of, as files. */
  readonly reports: Readonly<Record<"predicted" | "recorded", string>>;
}

const test = base.extend<object, Reports>({
  reports: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "sidelight-report-"));
      const store = ["--store", join(folder, ".sidelight")];
      const sidelight = (verb: string, ...words: readonly string[]): string => {
        const command = ["-m", "sidelight", verb, ...store, "--json", ...words];
        return execFileSync(PYTHON, command, { encoding: "utf8", stdio: "pipe" });
      };
      const written = (name: string, verb: string, ...words: readonly string[]): string => {
        const { profile } = JSON.parse(sidelight(verb, ...words)) as { profile: string };
        const file = join(folder, `${name}.html`);
        sidelight("export", profile, "--format", "html", "-o", file);
        return file;
      };
      const trace = join(folder, "recording.json");
      const folders = "/home/somebody/projects".padEnd(200, "/deeper");
      writeFileSync(
        trace,
        fixedTrace(`${folders}/train.py`).replaceAll("mm_kernel", LONG).replaceAll("::mm", LONG),
      );
      const target = ["--target", "fake", "--device", "trn2"];
      await use({
        predicted: written("predicted", "profile", ...target, resolve("examples/rmsnorm.py")),
        recorded: written("recorded", "open", "--device", "trn2", trace),
      });
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
});

/** What reaches over the sides of the page, as a few words each. */
async function cutOff(page: Page): Promise<readonly string[]> {
  return await page.evaluate((width) => {
    const over = [...document.body.querySelectorAll("*")].filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      const { scrollWidth, clientWidth } = element;
      const isHidden = clientWidth > 0 && scrollWidth > clientWidth;
      return left < 0 || right > width + 0.5 || isHidden;
    });
    return over.map(({ tagName, textContent }) => `${tagName} ${textContent.slice(0, 60)}`);
  }, PAPER.width);
}

for (const of of ["predicted", "recorded"] as const) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`a ${of} profile's is whole and readable on paper, ${colorScheme}`, async ({
      page,
      reports,
    }) => {
      await page.setViewportSize(PAPER);
      await page.emulateMedia({ media: "print", colorScheme });
      await page.goto(pathToFileURL(reports[of]).href);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      expect(await cutOff(page)).toEqual([]);
      expect(await violations(page)).toEqual([]);
      const background = await page
        .locator("body")
        .evaluate((body) => getComputedStyle(body).backgroundColor);
      expect(background).toBe("rgb(255, 255, 255)");
      // Texts of pictures, which axe does not look at.
      const inks = await page
        .locator("svg text")
        .evaluateAll((texts) => [...new Set(texts.map((text) => getComputedStyle(text).fill))]);
      expect(inks).toEqual(["rgb(0, 0, 0)"]);
    });
  }
}

test("what is cut off is found", async ({ page, reports }) => {
  await page.setViewportSize(PAPER);
  await page.goto(pathToFileURL(reports.recorded).href);
  await page.locator("h1").evaluate((heading) => {
    heading.style.width = "900px";
  });
  expect(await cutOff(page)).toContainEqual(expect.stringMatching(/^H1 /));
});
