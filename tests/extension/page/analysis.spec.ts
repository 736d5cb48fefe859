// The analysis' page: its tabs, its states, and where its lines lead.

import { expect } from "@playwright/test";

import { OpenAnalysis } from "./support/openAnalysis";
import { test } from "./support/rmsnormTest";

test("the headline is the command line's, and its lines lead to the source", async ({
  page,
  profile,
}) => {
  const open = await OpenAnalysis.open(page, profile);
  const { headline } = profile.printed;
  const section = page.locator("section", {
    has: page.getByRole("heading", { name: "Headline" }),
  });
  await expect(section).toContainText(headline?.sentence ?? "?");
  await expect(section).toContainText(headline?.verdict ?? "?");
  const first = headline?.lines[0];
  await section.getByRole("button").first().click();
  await expect
    .poll(() => open.asked("goToLine"))
    .toEqual([
      {
        type: "goToLine",
        directory: profile.analysis.directory,
        file: first?.file,
        line: first?.line,
      },
    ]);
  expect(open.complaints).toEqual([]);
});

test("without a profile the first steps are offered", async ({ page }) => {
  const open = await OpenAnalysis.open(page, undefined);
  await expect(page.getByRole("heading")).toHaveText("No analysis yet");
  await page.getByRole("button", { name: "Profile on Trainium" }).click();
  await expect
    .poll(() => open.asked("run"))
    .toEqual([{ type: "run", command: "sidelight.profileOnTrainium" }]);
});

test("what takes its time is said to", async ({ page, profile }) => {
  const open = await OpenAnalysis.open(page, profile);
  await open.send({ type: "loading" });
  await expect(page.getByRole("status")).toHaveText(
    "Summing up… A large profile takes a while at first.",
  );
});
