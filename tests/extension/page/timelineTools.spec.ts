// What a person does on the timeline beside looking: select areas, find, group, mark, walk, colour.

import { expect, type Page, test } from "@playwright/test";

import { boundsOf, lengthNs } from "../../../extension/webview/timeline/model/range";
import { GeneratedProfile } from "./support/generatedProfile";
import { OpenTimeline } from "./support/openTimeline";
import { pixelAt, type Point, rowMiddle, spanIn, viewOf, waitUntilDrawn } from "./support/pictures";
import { THEMES } from "./support/themes";

const EVENTS = 3_000;

test.use({ viewport: { width: 1100, height: 500 } });

async function openZoomed(page: Page, state?: unknown, markers: OpenTimeline["markers"] = []) {
  const profile = new GeneratedProfile(EVENTS);
  const fromNs = profile.timeline.endNs / 2;
  const view = { fromNs, toNs: fromNs + 100_000, scrollTop: 0, event: null, collapsed: [] };
  const open = await OpenTimeline.open(page, profile, {
    state: state ?? [[profile.timeline.directory, view]],
    markers,
  });
  await waitUntilDrawn(open);
  return open;
}

async function onCanvas(page: Page, { x, y }: Point): Promise<Point> {
  const box = await page.locator("canvas").boundingBox();
  return { x: (box?.x ?? 0) + x, y: (box?.y ?? 0) + y };
}

function areaPane(page: Page) {
  return page.getByRole("complementary", { name: "Selected area" });
}

test("an area is drawn with Shift, and summed up by the server", async ({ page }) => {
  const open = await openZoomed(page);
  const from = await onCanvas(page, { x: 200, y: rowMiddle({ track: 0, depth: 0 }) });
  const to = await onCanvas(page, { x: 500, y: rowMiddle({ track: 1, depth: 0 }) });
  const before = viewOf(open);
  await page.keyboard.down("Shift");
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await expect(areaPane(page).getByRole("table", { name: "By operator" })).toContainText(
    "aten::addmm",
  );
  const [asked] = open.asked("getArea");
  expect(asked?.tracks).toEqual([0, 1]);
  // 300 of the canvas's pixels.
  const nsPerPx = lengthNs(before) / (1100 - 184);
  expect(asked?.fromNs).toBeCloseTo(before.fromNs + 200 * nsPerPx, -2);
  expect((asked?.toNs ?? 0) - (asked?.fromNs ?? 0)).toBeCloseTo(300 * nsPerPx, -2);
  const tracks = areaPane(page).getByRole("table", { name: "By track" }).getByRole("row");
  await expect(tracks).toHaveCount(3);
  await expect(page.locator("[aria-live]")).toContainText(/^Area of .* events, device time/);
  // F fits it, Escape clears it and leaves the view as it is.
  await page.locator("canvas").focus();
  await page.keyboard.press("f");
  await expect.poll(() => lengthNs(viewOf(open))).toBeLessThan(0.6 * lengthNs(before));
  await page.keyboard.press("Escape");
  await expect(areaPane(page)).toBeHidden();
  expect(open.complaints).toEqual([]);
});

test("the keyboard selects areas: what is in view, and from span to span", async ({ page }) => {
  const open = await openZoomed(page);
  await page.locator("canvas").focus();
  await page.keyboard.press("r");
  await expect(areaPane(page)).toContainText("Device time");
  const [whole] = open.asked("getArea");
  expect(whole).toMatchObject({ tracks: [], fromNs: Math.floor(viewOf(open).fromNs) });
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(() => open.asked("getArea")).toHaveLength(3);
  const [, first, second] = open.asked("getArea");
  expect(first?.tracks).toEqual([0]);
  expect(second?.fromNs).toBe(first?.fromNs);
  expect(second?.toNs).toBeGreaterThan(first?.toNs ?? NaN);
});

test("events are found by name, counted, shown, and gone to", async ({ page }) => {
  const open = await openZoomed(page);
  const span = spanIn(open, { track: 7, depth: 1 });
  const inside = { x: span.left + 3, y: span.y };
  const before = await pixelAt(page, inside);
  await page.locator("canvas").focus();
  await page.keyboard.press("/");
  await page.keyboard.type("rmsnorm");
  await expect(page.locator(".found")).toHaveText(/^[\d,]+ found$/);
  // What is not found is pale now.
  await expect.poll(() => pixelAt(page, inside)).not.toEqual(before);
  await page.keyboard.press("Enter");
  await expect(page.locator(".found")).toHaveText(/^[\d,]+ of [\d,]+$/);
  const details = page.getByRole("complementary", { name: "Details" });
  await expect(details.getByRole("heading", { level: 2 })).toHaveText("rmsnorm_kernel");
  const [first] = open.asked("getDetails");
  await page.keyboard.press("Enter");
  await expect.poll(() => open.asked("getDetails").length).toBe(2);
  await page.keyboard.press("Shift+Enter");
  await expect.poll(() => open.asked("getDetails").at(-1)?.event).toBe(first?.event);
  await page.keyboard.press("Escape");
  await expect(page.locator("canvas")).toBeFocused();
  await expect(page.locator(".found")).toHaveText("");
});

test("what nothing has is said", async ({ page }) => {
  await openZoomed(page);
  await page.getByRole("searchbox").fill("nothing has this name");
  await expect(page.locator(".found")).toHaveText("None found");
});

test("tracks are grouped otherwise, and a folded group shows how busy it is", async ({ page }) => {
  const open = await openZoomed(page);
  await page.getByLabel("Group tracks by").selectOption("By NeuronCore");
  const core = page.getByRole("button", { name: "NeuronCore 0", exact: true });
  await expect(core).toHaveAttribute("aria-expanded", "true");
  await core.click();
  await expect.poll(() => open.asked("getUtilisation").at(-1)?.groups).toEqual([[0, 1]]);
  await waitUntilDrawn(open);
  // The saw tooth of its utilisation: high somewhere, low elsewhere.
  const heads = await Promise.all(
    [300, 311, 322, 333, 344, 355].map((x) => pixelAt(page, { x, y: 42 + 16 })),
  );
  expect(new Set(heads.map(String)).size).toBeGreaterThan(1);
  await page.getByLabel("Group tracks by").selectOption("By thread");
  await expect(page.getByRole("button", { name: "MainThread 4711" })).toHaveCount(2);
});

test("quantities over time are areas, with their values under the pointer", async ({ page }) => {
  const open = await openZoomed(page);
  await expect(page.getByRole("button", { name: "HBM · NeuronCore 0" })).toBeDisabled();
  const name = await page.getByRole("button", { name: "HBM · NeuronCore 0" }).boundingBox();
  const canvas = await page.locator("canvas").boundingBox();
  const [top, height] = [(name?.y ?? 0) - (canvas?.y ?? 0), name?.height ?? 0];
  // Half of its highest: filled below, empty above.
  const background = await pixelAt(page, { x: 400, y: top - 4 });
  expect(await pixelAt(page, { x: 400, y: top + 4 })).toEqual(background);
  expect(await pixelAt(page, { x: 400, y: top + height - 4 })).not.toEqual(background);
  const { x, y } = await onCanvas(page, { x: 400, y: top + 10 });
  await page.mouse.move(x, y);
  await expect(page.getByRole("tooltip")).toContainText(/^HBM1\.00 GB at \d/);
  expect(open.complaints).toEqual([]);
});

test("moments are marked, named, measured, and kept with the profile", async ({
  page,
  context,
}) => {
  const open = await openZoomed(page);
  await page.locator("canvas").focus();
  await page.keyboard.press("m");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => open.asked("getDetails").length).toBe(1);
  await page.keyboard.press("m");
  await page.getByRole("button", { name: "Markers", exact: true }).click();
  const list = page.getByRole("region", { name: "Markers" });
  const items = list.getByRole("listitem");
  await expect(items).toHaveCount(2);
  await expect(items.nth(1)).toContainText(/\d+(\.\d+)? (ns|µs) later/);
  await list.getByLabel("Name of marker A").fill("loss");
  await list.getByLabel("Name of marker A").press("Enter");
  await list.getByRole("button", { name: "Focus Between Markers" }).click();
  await expect.poll(() => lengthNs(viewOf(open))).toBeLessThan(80_000);
  await expect.poll(() => viewOf(open).markers?.map((marker) => marker.name)).toContain("loss");
  await expect.poll(() => open.markers.map(({ name }) => name).sort()).toEqual(["B", "loss"]);
  const [first, last] = viewOf(open).markers ?? [];
  expect(viewOf(open).fromNs).toBeLessThan(first?.atNs ?? NaN);
  expect(viewOf(open).toNs).toBeGreaterThan(last?.atNs ?? NaN);
  const next = await context.newPage();
  const opened = await openZoomed(next, open.state, open.markers);
  await next.getByRole("button", { name: "Markers", exact: true }).click();
  await expect(next.getByLabel("Name of marker loss")).toBeVisible();
  await next.getByRole("button", { name: "Remove marker loss" }).click();
  await expect(next.getByRole("region", { name: "Markers" }).getByRole("listitem")).toHaveCount(1);
  expect(opened.markers.map(({ name }) => name)).toEqual(["B"]);
});

test("markers that another window has set are there, too, and none of them is lost", async ({
  page,
}) => {
  const open = await openZoomed(page);
  const { directory } = new GeneratedProfile(EVENTS).timeline;
  await page.locator("canvas").focus();
  await page.keyboard.press("m");
  await expect.poll(() => open.markers.length).toBe(1);
  await page.getByRole("button", { name: "Markers", exact: true }).click();
  const list = page.getByRole("region", { name: "Markers" });
  open.markers = [{ name: "theirs", atNs: 5 }, ...open.markers];
  await open.send({ type: "markersChanged", directory: "/another" });
  await open.send({ type: "markersChanged", directory });
  await expect(list.getByLabel("Name of marker theirs")).toBeVisible();
  // One that came unnoticed stays as well.
  open.markers = [...open.markers, { name: "unnoticed", atNs: 1e12 }];
  await list.getByRole("button", { name: "Add a Marker" }).click();
  await expect(list.getByLabel("Name of marker unnoticed")).toBeVisible();
  await expect(list.getByRole("listitem")).toHaveCount(4);
  // A view that is shown again brings its own.
  const view = { ...viewOf(open), markers: [{ name: "copied", atNs: 7 }] };
  await open.send({ type: "view", directory, view });
  await page.getByRole("button", { name: "Markers", exact: true }).click();
  await expect(list.getByRole("listitem")).toHaveCount(5);
  expect(open.markers).toHaveLength(5);
  expect(open.complaints).toEqual([]);
});

test("why markers are not kept is said", async ({ page }) => {
  const open = await openZoomed(page);
  const why = "There is no room left to write. Free some space.";
  open.refusesMarkers = why;
  await page.locator("canvas").focus();
  await page.keyboard.press("m");
  await page.getByRole("button", { name: "Markers", exact: true }).click();
  await expect(page.getByRole("region", { name: "Markers" })).toContainText(why);
  await expect(page.getByLabel("Name of marker A")).toBeVisible();
});

test("the minimap shows the whole run, and moves the view", async ({ page }) => {
  const open = await openZoomed(page);
  const minimap = page.getByRole("scrollbar", { name: "Part of the run in view" });
  await expect(minimap.locator("path")).toHaveCount(2);
  const bounds = boundsOf(0, new GeneratedProfile(EVENTS).timeline.endNs);
  const middleNs = (viewOf(open).fromNs + viewOf(open).toNs) / 2;
  const percent = Math.round((100 * (middleNs - bounds.fromNs)) / lengthNs(bounds));
  await expect(minimap).toHaveAttribute("aria-valuenow", String(percent));
  const box = await minimap.boundingBox();
  await page.mouse.click((box?.x ?? 0) + 0.25 * (box?.width ?? 0), (box?.y ?? 0) + 10);
  await expect(minimap).toHaveAttribute("aria-valuenow", "25");
  await minimap.focus();
  await page.keyboard.press("PageDown");
  await expect
    .poll(async () => Number(await minimap.getAttribute("aria-valuenow")))
    .toBeGreaterThan(25);
});

test("arrows are walked from the device to the call that launched it, and back", async ({
  page,
}) => {
  const open = await openZoomed(page);
  await page.locator("canvas").focus();
  await page.keyboard.press("ArrowRight");
  const details = page.getByRole("complementary", { name: "Details" });
  await expect(details).toContainText("Follows from");
  await page.keyboard.press("[");
  await expect(details.getByRole("heading", { level: 2 })).toHaveText(/^nrt_/);
  await expect(details).toContainText("Leads to");
  await page.keyboard.press("]");
  await expect(details.getByRole("heading", { level: 2 })).not.toHaveText(/^nrt_/);
  expect(open.asked("getDetails")).toHaveLength(3);
});

test("spans are coloured by something else, and the legend says by what", async ({ page }) => {
  const open = await openZoomed(page);
  const span = spanIn(open, { track: 0, depth: 0 });
  const inside = { x: span.left + 3, y: span.y };
  const before = await pixelAt(page, inside);
  await page.getByLabel("Colour by").selectOption("Colour: operator");
  await expect.poll(() => open.asked("getWindow").at(-1)?.colourBy).toBe("operator");
  await expect.poll(() => pixelAt(page, inside)).not.toEqual(before);
  await page.getByRole("button", { name: "Colours and keys" }).click();
  await expect(page.locator(".legend")).toContainText(span.name);
});

test("the view is copied, and shown again as it was", async ({ page }) => {
  const open = await openZoomed(page);
  await page.getByLabel("Group tracks by").selectOption("By stream");
  await page.getByRole("button", { name: /^Copy this view/ }).click();
  await expect.poll(() => open.asked("copyView")).toHaveLength(1);
  const [copied] = open.asked("copyView");
  expect(copied?.view).toMatchObject({ grouping: "stream", toNs: viewOf(open).toNs });
  await page.getByLabel("Group tracks by").selectOption("By source");
  await page.locator("canvas").focus();
  await page.keyboard.press("0");
  await expect.poll(() => lengthNs(viewOf(open))).toBeGreaterThan(1e6);
  if (copied === undefined) throw new Error("Nothing was copied.");
  await open.send({ type: "view", directory: copied.directory, view: copied.view });
  await expect.poll(() => lengthNs(viewOf(open))).toBeCloseTo(100_000, 0);
  await expect(page.getByLabel("Group tracks by")).toHaveValue("stream");
});

test("a stretch of time is gone to, and nothing else of the view changes", async ({ page }) => {
  const profile = new GeneratedProfile(3_000);
  const { directory } = profile.timeline;
  const markers = [{ name: "loss", atNs: 40_000 }];
  const view = {
    fromNs: 0,
    toNs: 90_000,
    scrollTop: 0,
    event: null,
    collapsed: ["device"],
    markers,
  };
  const open = await OpenTimeline.open(page, profile, { state: [[directory, view]], markers });
  await waitUntilDrawn(open);
  await open.send({ type: "range", directory, fromNs: 200_000, toNs: 300_000 });
  // With air around it.
  await expect.poll(() => Math.round(viewOf(open).fromNs)).toBe(185_000);
  await expect.poll(() => Math.round(viewOf(open).toNs)).toBe(315_000);
  expect(viewOf(open)).toMatchObject({ collapsed: ["device"], markers });
  await expect(page.locator("canvas")).toBeFocused();
});

test("the line under the cursor is shown over the rest, and the view stays", async ({ page }) => {
  const profile = new GeneratedProfile(3_000);
  const { directory } = profile.timeline;
  const open = await OpenTimeline.open(page, profile);
  await waitUntilDrawn(open);
  const before = viewOf(open);
  const line = { file: "/project/train.py", line: 24 };
  const looked = () => open.asked("getMatch").map(({ find }) => find);
  await open.send({ type: "follow", directory: "/another", line });
  await open.send({ type: "follow", directory, line });
  await expect.poll(looked).toEqual([line]);
  await expect(page.locator(".found")).toHaveText(/found/i);
  await open.send({ type: "follow", directory, line: null });
  await expect(page.locator(".found")).toHaveText("");
  // What a person looks for is not given up for it.
  await page.getByRole("searchbox").fill("mul");
  await expect.poll(() => looked().at(-1)).toEqual({ text: "mul" });
  await open.send({ type: "follow", directory, line });
  await page.getByRole("searchbox").press("Enter");
  await expect.poll(() => looked().length).toBe(3);
  expect(looked().at(-1)).toEqual({ text: "mul" });
  const { fromNs, toNs } = viewOf(open);
  expect(before).toMatchObject({ fromNs, toNs });
});

test("a frame has no more than 20,000 rectangles, however much there is", async ({ page }) => {
  await page.addInitScript(() => {
    // Called on its own context below.
    // eslint-disable-next-line @typescript-eslint/unbound-method
    const draw = CanvasRenderingContext2D.prototype.fillRect;
    const frames = { now: 0, most: 0 };
    Object.assign(globalThis, { rectangles: frames });
    CanvasRenderingContext2D.prototype.fillRect = function (...box) {
      frames.now += 1;
      frames.most = Math.max(frames.most, frames.now);
      draw.apply(this, box);
    };
    const original = requestAnimationFrame;
    globalThis.requestAnimationFrame = (callback) =>
      original((nowMs) => {
        frames.now = 0;
        callback(nowMs);
      });
  });
  const profile = new GeneratedProfile(300_000, { autogradThreads: 12 });
  const open = await OpenTimeline.open(page, profile);
  await waitUntilDrawn(open);
  await page.getByRole("searchbox").fill("aten");
  await expect(page.locator(".found")).toHaveText(/found$/);
  await waitUntilDrawn(open);
  await page.locator("canvas").focus();
  await page.keyboard.press("0");
  await waitUntilDrawn(open);
  const most = await page.evaluate(
    () => (globalThis as unknown as { rectangles: { most: number } }).rectangles.most,
  );
  expect(most).toBeGreaterThan(5_000);
  expect(most).toBeLessThanOrEqual(20_000);
});

for (const [name, theme] of Object.entries(THEMES)) {
  test(`everything is there in a narrow side bar, ${name}`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    const profile = new GeneratedProfile(EVENTS);
    const open = await OpenTimeline.open(page, profile, { theme });
    await waitUntilDrawn(open);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(320);
    // The editor gives a panel at its side even less.
    for (const widthPx of [280, 320]) {
      await page.setViewportSize({ width: widthPx, height: 640 });
      for (const control of await page.getByRole("button").all()) {
        const box = await control.boundingBox();
        if (box !== null) expect(box.x + box.width).toBeLessThanOrEqual(widthPx);
      }
    }
    await expect(page.getByRole("searchbox")).toBeInViewport();
    await page.locator("canvas").focus();
    await page.keyboard.press("r");
    await expect(areaPane(page)).toContainText("By operator");
    expect(open.complaints).toEqual([]);
  });
}
