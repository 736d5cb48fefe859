import { expect, type Page, test } from "@playwright/test";

import { lengthNs } from "../../../extension/webview/timeline/model/range";
import { SavedViews } from "../../../extension/webview/timeline/model/savedViews";
import { GeneratedProfile } from "./support/generatedProfile";
import { OpenTimeline } from "./support/openTimeline";
import { pixelAt, type Point, rowMiddle, spanIn, viewOf, waitUntilDrawn } from "./support/pictures";
import { THEMES } from "./support/themes";

const EVENTS = 3_000;
const LINE = { file: "/project/train.py", line: 24 };

test.use({ viewport: { width: 1100, height: 500 } });

async function openZoomed(page: Page, profile = new GeneratedProfile(EVENTS), state?: unknown) {
  // Two statements or so: every span is wide enough to be named.
  const fromNs = profile.timeline.endNs / 2;
  const view = { fromNs, toNs: fromNs + 100_000, scrollTop: 0, event: null, collapsed: [] };
  const open = await OpenTimeline.open(page, profile, {
    state: state ?? [[profile.timeline.directory, view]],
  });
  await waitUntilDrawn(open);
  return open;
}

async function onCanvas(page: Page, { x, y }: Point): Promise<Point> {
  const box = await page.locator("canvas").boundingBox();
  return { x: (box?.x ?? 0) + x, y: (box?.y ?? 0) + y };
}

async function clickAt(page: Page, point: Point): Promise<void> {
  const { x, y } = await onCanvas(page, point);
  await page.mouse.click(x, y);
}

test("spans are drawn where they are, and nothing where nothing is", async ({ page }) => {
  const open = await openZoomed(page);
  const background = await pixelAt(page, { x: 300, y: 430 });
  const span = spanIn(open, { track: 0, depth: 0 });
  expect(await pixelAt(page, { x: span.left + 3, y: span.y })).not.toEqual(background);
  expect(await pixelAt(page, { x: span.right - 4, y: span.y })).not.toEqual(background);
  expect(await pixelAt(page, { x: span.right + 2, y: span.y })).toEqual(background);
  expect(open.complaints).toEqual([]);
});

test("the tooltip tells what is under the pointer", async ({ page }) => {
  const open = await openZoomed(page);
  const span = spanIn(open, { track: 7, depth: 1 });
  const { x, y } = await onCanvas(page, { x: span.left + 5, y: span.y });
  await page.mouse.move(x, y);
  const tooltip = page.getByRole("tooltip");
  await expect(tooltip).toContainText(span.name);
  await expect(tooltip).toContainText("MainThread 4711");
  await expect(tooltip).toContainText(/\d µs at \d/);
  await page.mouse.move(x, 490);
  await expect(tooltip).toBeHidden();
});

test("the tooltip of a merged span tells how many events it stands for", async ({ page }) => {
  const open = await OpenTimeline.open(page, new GeneratedProfile(300_000));
  await waitUntilDrawn(open);
  const { x, y } = await onCanvas(page, { x: 400, y: rowMiddle({ track: 7, depth: 3 }) });
  await page.mouse.move(x, y);
  await expect(page.getByRole("tooltip")).toContainText(
    /^\d+ events, busy \d+(\.\d)?%longest: nrt_/,
  );
});

test("a click asks for details, shows them, and says them aloud", async ({ page }) => {
  const open = await openZoomed(page);
  const span = spanIn(open, { track: 0, depth: 0 });
  await clickAt(page, { x: span.left + 5, y: span.y });
  const details = page.getByRole("complementary", { name: "Details" });
  await expect(details).toContainText("Device time12.3 µs");
  await expect(details).toContainText("float32 [1024, 4096]");
  await expect(details).toContainText(`Correlation id${span.event}`);
  await expect(details.getByRole("heading", { level: 2 })).toHaveText(span.name);
  expect(open.asked("getDetails")).toMatchObject([{ event: span.event }]);
  await expect(page.locator("[aria-live]")).toHaveText(new RegExp(`^${span.name}, .* µs at`));
  await page.keyboard.press("Escape");
  await expect(details).toBeHidden();
});

test("an event of no line says so", async ({ page }) => {
  const made = new GeneratedProfile(EVENTS);
  const answers = {
    timeline: made.timeline,
    window: made.window.bind(made),
    details: (event: number) => ({ ...made.details(event), places: [], owners: 0 }),
    counters: made.counters.bind(made),
  };
  const open = await OpenTimeline.open(page, answers);
  await waitUntilDrawn(open);
  await page.locator("canvas").focus();
  await page.keyboard.press("ArrowRight");
  const details = page.getByRole("complementary", { name: "Details" });
  await expect(details).toContainText("No line of yours is known for it.");
  await expect(details.getByRole("button", { name: "Go to Source" })).toHaveCount(0);
});

test("source lines lead to the editor, where they are now", async ({ page }) => {
  const open = await openZoomed(page);
  const span = spanIn(open, { track: 0, depth: 0 });
  await clickAt(page, { x: span.left + 5, y: span.y });
  await page.getByRole("button", { name: "Go to Source" }).click();
  await page.getByRole("button", { name: "train.py:24 (now line 27)" }).click();
  // One that is not where it was is looked for.
  await page.getByRole("button", { name: /loop\.py/ }).click();
  await expect
    .poll(() => open.asked("reveal"))
    .toEqual([
      { type: "reveal", uri: "file:///project/model.py", line: 12 },
      { type: "reveal", uri: "file:///project/train.py", line: 27 },
    ]);
  const [located] = open.asked("locate");
  expect(located).toMatchObject({ directory: open.profile?.timeline.directory });
  expect(located?.file).toMatch(/loop\.py$/);
});

test("a double click zooms to a span, and goes to the source from a source line", async ({
  page,
}) => {
  const open = await openZoomed(page);
  const operator = spanIn(open, { track: 7, depth: 1 });
  const { x, y } = await onCanvas(page, { x: operator.left + 5, y: operator.y });
  await page.mouse.dblclick(x, y);
  await expect.poll(() => lengthNs(viewOf(open))).toBeLessThan(30_000);
  expect(open.asked("reveal")).toEqual([]);
  const line = await onCanvas(page, { x: 300, y: rowMiddle({ track: 7, depth: 0 }) });
  await page.mouse.dblclick(line.x, line.y);
  await expect.poll(() => open.asked("reveal")).toMatchObject([{ line: 12 }]);
});

test("keys zoom, and ask for a finer window", async ({ page }) => {
  const open = await OpenTimeline.open(page, new GeneratedProfile(100_000));
  await waitUntilDrawn(open);
  const [overview] = open.asked("getWindow");
  await page.locator("canvas").focus();
  await page.keyboard.down("w");
  await expect
    .poll(() => {
      const last = open.asked("getWindow").at(-1);
      return last === undefined ? 1 : (last.toNs - last.fromNs) / last.width;
    })
    .toBeLessThan(((overview?.toNs ?? 0) - (overview?.fromNs ?? 0)) / (overview?.width ?? 1) / 4);
  await page.keyboard.up("w");
});

test("arrow keys go from span to span, Enter to the source", async ({ page }) => {
  const open = await openZoomed(page);
  await page.locator("canvas").focus();
  const heading = page.getByRole("complementary").getByRole("heading", { level: 2 });
  await page.keyboard.press("ArrowRight");
  await expect(heading).toBeVisible();
  const first = open.asked("getDetails").at(-1)?.event ?? NaN;
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => open.asked("getDetails").at(-1)?.event).toBe(first + 1);
  await page.keyboard.press("ArrowDown");
  await expect(page.locator("[aria-live]")).toContainText("queue 1");
  await page.keyboard.press("Enter");
  await expect.poll(() => open.asked("reveal")).toHaveLength(1);
});

test("the wheel zooms with Ctrl, moves with Shift, and scrolls alone", async ({ page }) => {
  await page.setViewportSize({ width: 1100, height: 180 });
  const open = await openZoomed(page);
  await page.mouse.move(600, 140);
  await page.mouse.wheel(0, 20);
  await expect.poll(() => viewOf(open).scrollTop).toBe(20);
  const start = viewOf(open);
  await page.keyboard.down("Shift");
  await page.mouse.wheel(0, 100);
  await page.keyboard.up("Shift");
  await expect.poll(() => viewOf(open).fromNs).toBeGreaterThan(start.fromNs);
  expect(lengthNs(viewOf(open))).toBeCloseTo(lengthNs(start), 3);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  await expect.poll(() => lengthNs(viewOf(open))).toBeLessThan(0.8 * lengthNs(start));
  expect(viewOf(open).scrollTop).toBe(20);
});

test("dragging moves the view, and selects nothing", async ({ page }) => {
  const open = await openZoomed(page);
  const span = spanIn(open, { track: 0, depth: 0 });
  const colour = await pixelAt(page, { x: span.left + 4, y: span.y });
  const { x, y } = await onCanvas(page, { x: span.left + 4, y: span.y });
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 40, y, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(x, 480);
  await expect.poll(() => pixelAt(page, { x: span.left + 44, y: span.y })).toEqual(colour);
  expect(open.asked("getDetails")).toEqual([]);
});

test("names are text, whatever they hold", async ({ page }) => {
  const nasty = `<img src=x onerror="document.title='owned'">`;
  const profile = new GeneratedProfile(EVENTS, { rename: (name) => `${nasty}${name}` });
  const tracks = profile.timeline.tracks.map((track) => ({ ...track, name: nasty }));
  const evil = { timeline: { ...profile.timeline, name: nasty, headline: nasty, tracks } };
  const open = await openZoomed(
    page,
    Object.assign(Object.create(profile) as GeneratedProfile, evil),
  );
  const span = spanIn(open, { track: 0, depth: 0 });
  await clickAt(page, { x: span.left + 5, y: span.y });
  const { x, y } = await onCanvas(page, { x: span.left + 9, y: span.y });
  await page.mouse.move(x, y);
  await expect(page.getByRole("tooltip")).toContainText(nasty);
  await expect(page.getByRole("complementary").getByRole("heading").first()).toContainText(nasty);
  await expect(page.getByRole("button", { name: nasty, exact: true })).toHaveCount(4);
  expect(await page.locator("img").count()).toBe(0);
  expect(await page.title()).not.toBe("owned");
  expect(open.complaints).toEqual([]);
});

test("a tracks' group folds away, and stays so in the page's next life", async ({
  page,
  context,
}) => {
  const open = await openZoomed(page);
  const device = page.getByRole("button", { name: "Device" });
  await device.click();
  await expect(device).toHaveAttribute("aria-expanded", "false");
  await expect(page.getByRole("button", { name: "NeuronCore 0, queue 0" })).toHaveCount(0);
  await expect.poll(() => JSON.stringify(open.state)).toContain(`"collapsed":["device"]`);
  const next = await context.newPage();
  await openZoomed(next, new GeneratedProfile(EVENTS), open.state);
  await expect(next.getByRole("button", { name: "Device" })).toHaveAttribute(
    "aria-expanded",
    "false",
  );
});

test("the view and the selection come back in the page's next life", async ({ page, context }) => {
  const open = await openZoomed(page);
  const span = spanIn(open, { track: 0, depth: 0 });
  await clickAt(page, { x: span.left + 5, y: span.y });
  await expect.poll(() => JSON.stringify(open.state)).toContain(`"event":${span.event}`);
  const next = await context.newPage();
  const reopened = await openZoomed(next, new GeneratedProfile(EVENTS), open.state);
  await expect(next.getByRole("complementary")).toContainText("float32 [64, 1024]");
  expect(reopened.asked("getDetails")).toMatchObject([{ event: span.event }]);
});

test("a line is gone to, also before its profile is there", async ({ page }) => {
  const profile = new GeneratedProfile(EVENTS);
  const open = await OpenTimeline.open(page, undefined);
  await expect(page.getByRole("heading")).toHaveText("No timeline yet");
  open.profile = profile;
  const { directory } = profile.timeline;
  const event = 40;
  const { startNs, durationNs } = profile.details(event);
  const place = { fromNs: startNs - 1000, toNs: startNs + durationNs + 1000, event, executions: 3 };
  await open.send({ type: "goTo", directory, place, line: LINE });
  await open.send({ type: "timeline", timeline: profile.timeline, message: "" });
  await expect(page.getByRole("complementary")).toContainText("Go to Source");
  // What the page keeps of its view, once it has arrived there.
  await expect
    .poll(() => SavedViews.from(open.state).of(directory))
    .toMatchObject({ fromNs: place.fromNs, toNs: place.toNs, event });
});

test("a line that is gone to is seen, though its track was folded away and far below", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1100, height: 150 });
  const profile = new GeneratedProfile(EVENTS);
  const { directory, endNs } = profile.timeline;
  const folded = { fromNs: 0, toNs: endNs, scrollTop: 0, event: null, collapsed: ["host"] };
  const open = await OpenTimeline.open(page, profile, { state: [[directory, folded]] });
  await waitUntilDrawn(open);
  const host = page.getByRole("button", { name: "Host" });
  await expect(host).toHaveAttribute("aria-expanded", "false");
  const event = spanIn(await openZoomed(await page.context().newPage()), {
    track: 7,
    depth: 1,
  }).event;
  const { startNs, durationNs } = profile.details(event);
  const place = { fromNs: startNs - 1000, toNs: startNs + durationNs + 1000, event, executions: 3 };
  await open.send({ type: "goTo", directory, place, line: LINE });
  await expect(host).toHaveAttribute("aria-expanded", "true");
  await expect.poll(() => viewOf(open).scrollTop).toBeGreaterThan(0);
});

test("the keyboard stays where it was when tracks fold, and when panes close", async ({ page }) => {
  await openZoomed(page);
  const device = page.getByRole("button", { name: "Device" });
  await device.focus();
  await page.keyboard.press("Enter");
  await expect(device).toHaveAttribute("aria-expanded", "false");
  await expect(device).toBeFocused();

  const canvas = page.locator("canvas");
  await canvas.focus();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("button", { name: "Close the details" }).press("Enter");
  await expect(page.getByRole("complementary")).toBeHidden();
  await expect(canvas).toBeFocused();

  const help = page.getByRole("button", { name: "Colours and keys" });
  await help.press("Enter");
  await expect(help).toHaveAttribute("aria-expanded", "true");
  await page
    .getByRole("region", { name: "Colours and keys" })
    .getByRole("button", { name: "Close" })
    .press("Escape");
  await expect(help).toHaveAttribute("aria-expanded", "false");
  await expect(help).toBeFocused();
});

test("the data-quality report lists what there is, the worst first, as text", async ({ page }) => {
  await openZoomed(page);
  const opener = page.getByRole("button", { name: "Data quality: 1 warning, 1 note" });
  await expect(opener.getByText("⚠ 2")).toBeVisible();
  await opener.click();
  const notes = page.getByRole("region", { name: "Data quality" }).getByRole("listitem");
  await expect(notes).toHaveText([
    /Rows with <b>absurd<\/b> durations are left out\.bad_duration × 1,200/,
    /Operators carry no shapes\.no_shapes/,
  ]);
  await page.keyboard.press("Escape");
  await expect(notes.first()).toBeHidden();
});

test("the help makes way for the details of a span that is clicked", async ({ page }) => {
  const open = await openZoomed(page);
  const help = page.getByRole("button", { name: "Colours and keys" });
  await help.click();
  await page.getByText("zoom in, out").click();
  await expect(help).toHaveAttribute("aria-expanded", "true");
  const span = spanIn(open, { track: 7, depth: 1 });
  await clickAt(page, { x: span.left + 5, y: span.y });
  await expect(help).toHaveAttribute("aria-expanded", "false");
  await expect(page.getByRole("complementary", { name: "Details" })).toBeVisible();
});

test("where there is no profile, the first steps are offered", async ({ page }) => {
  const open = await OpenTimeline.open(page, undefined);
  await expect(page.getByText("Profile a script, and its timeline appears here.")).toBeVisible();
  for (const name of ["Profile on Trainium", "Open Profile…", "Select Profile"]) {
    await page.getByRole("button", { name }).click();
  }
  await expect
    .poll(() => open.asked("run").map((message) => message.command))
    .toEqual(["sidelight.profileOnTrainium", "sidelight.openProfile", "sidelight.selectProfile"]);
});

test("what fails is said, and can be tried again", async ({ page }) => {
  const profile = new GeneratedProfile(EVENTS);
  let isBroken = true;
  const open = await OpenTimeline.open(page, {
    timeline: profile.timeline,
    window: (...view) => {
      if (isBroken) {
        throw new Error("The profile train is gone.");
      }
      return profile.window(...view);
    },
    details: (event) => profile.details(event),
    counters: (...view) => profile.counters(...view),
  });
  await expect(page.getByRole("status")).toContainText("The profile train is gone.");
  expect(open.asked("getWindow")).toHaveLength(1);
  isBroken = false;
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(page.getByRole("status")).toBeHidden();
});

test("the picture follows the window's size and the editor's theme", async ({ page }) => {
  const open = await openZoomed(page);
  const empty = { x: 300, y: 400 };
  const dark = await pixelAt(page, empty);
  await open.useTheme(THEMES.light);
  await expect.poll(() => pixelAt(page, empty)).toEqual([255, 255, 255]);
  expect(dark).not.toEqual([255, 255, 255]);
  await page.setViewportSize({ width: 700, height: 300 });
  const canvas = page.locator("canvas");
  await expect
    .poll(async () => {
      const box = await canvas.boundingBox();
      return [box?.width, await canvas.evaluate((element: HTMLCanvasElement) => element.width)];
    })
    .toEqual([700 - 184, 700 - 184]);
});
