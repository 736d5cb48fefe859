// The flame graph: that its frames are as wide as their time, and how it is walked and searched.

import { expect, type Page, test as base } from "@playwright/test";

import type { FlameNode } from "../../../extension/src/documents";
import { duration, share } from "../../../extension/webview/units";
import { violations } from "./support/axe";
import { OpenAnalysis } from "./support/openAnalysis";
import { RecordedAnalysis } from "./support/recordedAnalysis";
import { THEMES } from "./support/themes";

// Fixtures say what they need by this pattern, also if that is nothing.
const test = base.extend<object, { profile: RecordedAnalysis }>({
  profile: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const verb = ["profile", "--target", "fake", "--device", "trn2", "examples/rmsnorm.py"];
      const profile = await RecordedAnalysis.open(verb);
      await use(profile);
      profile.close();
    },
    { scope: "worker" },
  ],
});

async function openFlame(page: Page, profile: RecordedAnalysis) {
  const open = await OpenAnalysis.open(page, profile, { state: "flame" });
  const tree = page.getByRole("tree", { name: "Device time by source line" });
  await expect(tree.getByRole("treeitem").first()).toBeVisible();
  return { open, tree };
}

/** The first frame below another, and so on down to where there is a choice. */
function withSiblings(node: FlameNode): FlameNode {
  const [only, other] = node.children;
  return only === undefined || other !== undefined ? node : withSiblings(only);
}

/** The time of the outermost frames that hold a text. */
function matchedNs(node: FlameNode, text: string): number {
  const isFound = node.name.includes(text);
  return isFound
    ? node.total_ns
    : node.children.reduce((sum, child) => sum + matchedNs(child, text), 0);
}

test("frames are as wide as their time, and say how much that is", async ({ page, profile }) => {
  const { open, tree } = await openFlame(page, profile);
  const root = profile.printed.flame.by_line;
  const { headline } = profile.printed;
  expect(root.total_ns).toBe(headline?.device_time_ns);
  const steps = headline?.steps ?? 1;
  const time = duration(root.total_ns / steps, true);
  const first = tree.getByRole("treeitem").first();
  await expect(first).toHaveAttribute(
    "aria-label",
    `device time, ${time} a step, 100%, self ≈0 ns`,
  );
  await expect(page.locator(".flame-told")).toContainText(`${time} of device time a step`);
  const parent = withSiblings(root);
  const widthOf = async (name: string): Promise<number> =>
    (await tree.getByText(name, { exact: true }).boundingBox())?.width ?? 0;
  const [one, other] = parent.children.filter(({ others }) => others === 0);
  const whole = await widthOf(parent.name);
  for (const child of [one, other]) {
    const part = (child?.total_ns ?? 0) / parent.total_ns;
    expect(Math.abs((await widthOf(child?.name ?? "")) - part * whole)).toBeLessThan(1.5);
  }
  expect(open.complaints).toEqual([]);
});

test("a click zooms, the path and Escape zoom out", async ({ page, profile }) => {
  const { tree } = await openFlame(page, profile);
  const parent = withSiblings(profile.printed.flame.by_line);
  const [child] = parent.children;
  const frame = tree.getByText(child?.name ?? "", { exact: true });
  const before = (await frame.boundingBox())?.width ?? 0;
  const whole = (await tree.boundingBox())?.width ?? 0;
  expect(before).toBeLessThan(whole - 20);
  const width = () => frame.boundingBox().then((box) => Math.round(box?.width ?? 0));
  await frame.click();
  await expect.poll(width).toBe(Math.round(whole));
  const path = page.getByRole("navigation", { name: "Frames above" });
  await expect(path.getByRole("button").last()).toHaveText(child?.name ?? "?");
  await tree.press("Escape");
  await expect.poll(width).toBe(Math.round(before));
  await frame.click();
  await expect.poll(width).toBe(Math.round(whole));
  await path.getByRole("button").first().click();
  await expect.poll(width).toBe(Math.round(before));
  await expect(tree).toBeFocused();
});

test("the keyboard walks from frame to frame, and to the line", async ({ page, profile }) => {
  const { open, tree } = await openFlame(page, profile);
  const current = tree.locator(".current");
  const root = profile.printed.flame.by_line;
  const parent = withSiblings(root);
  await tree.focus();
  for (let node = root; node !== parent;) {
    await tree.press("ArrowDown");
    const [below] = node.children;
    if (below === undefined) throw new Error("The tree ends before its frames have siblings.");
    await expect(current).toHaveText(below.name);
    node = below;
  }
  const [first, second] = parent.children;
  await tree.press("ArrowDown");
  await expect(current).toHaveText(first?.name ?? "?");
  await tree.press("ArrowRight");
  await expect(current).toHaveText(second?.name ?? "?");
  await tree.press("ArrowLeft");
  await expect(current).toHaveText(first?.name ?? "?");
  await tree.press("Enter");
  const { directory } = profile.analysis;
  const place = { directory, file: first?.file, line: first?.line };
  await expect.poll(() => open.asked("goToLine")).toEqual([{ type: "goToLine", ...place }]);
  await tree.press("ArrowUp");
  await expect(current).toHaveText(parent.name);
  await expect(page.getByRole("tooltip")).toContainText(parent.name);
});

test("frames are found, with the part of the time that they stand for", async ({
  page,
  profile,
}) => {
  const { tree } = await openFlame(page, profile);
  const root = profile.printed.flame.by_line;
  const [name] = withSiblings(root).children.map((child) => child.name);
  await page.getByRole("searchbox").fill(name?.toUpperCase() ?? "?");
  const part = share(matchedNs(root, name ?? "?"), root.total_ns);
  await expect(page.locator(".matched")).toContainText(part);
  await expect(tree.locator(".lit").first()).toHaveText(name ?? "?");
  expect(await tree.locator(".unlit").count()).toBeGreaterThan(0);
  await page.getByRole("searchbox").fill("no such frame");
  await expect(page.locator(".matched")).toHaveText("No frame");
});

test("by module it has the modules", async ({ page, profile }) => {
  await openFlame(page, profile);
  await page.getByRole("combobox", { name: "Frames" }).selectOption("By module");
  const tree = page.getByRole("tree", { name: "Device time by module" });
  for (const { name } of profile.printed.flame.by_module.children.slice(0, 2)) {
    await expect(tree.getByText(name, { exact: true }).first()).toBeVisible();
  }
});

for (const [name, theme] of Object.entries(THEMES)) {
  test(`the flame graph is in nobody's way, ${name}`, async ({ page, profile }) => {
    await OpenAnalysis.open(page, profile, { state: "flame", theme });
    const tree = page.getByRole("tree");
    await expect(tree.getByRole("treeitem").first()).toBeVisible();
    await page.getByRole("searchbox").fill("2");
    await expect(tree.locator(".lit").first()).toBeVisible();
    for (const width of [1300, 320]) {
      await page.setViewportSize({ width, height: 640 });
      await tree.focus();
      await page.keyboard.press("ArrowDown");
      expect(await violations(page)).toEqual([]);
      const isWide = await page.evaluate(() => document.body.scrollWidth > window.innerWidth);
      expect(isWide, "nothing is cut off at the side").toBe(false);
    }
  });
}
