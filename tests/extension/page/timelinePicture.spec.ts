// Pictures of what is seen: as files, and the same as on the screen.

import { expect, type Page, test } from "@playwright/test";

import { GeneratedProfile } from "./support/generatedProfile";
import { OpenTimeline } from "./support/openTimeline";
import { waitUntilDrawn } from "./support/pictures";

const NASTY = `<script>document.title="owned"</script>&"'\u0001\ud800 `;
const GUTTER_PX = 184;

test.use({ viewport: { width: 1100, height: 400 } });

async function opened(page: Page, rename = (name: string) => name): Promise<OpenTimeline> {
  const profile = new GeneratedProfile(600, { rename });
  const { directory, endNs } = profile.timeline;
  const fromNs = endNs * 0.4;
  const view = {
    ...{ fromNs, toNs: fromNs + endNs / 5, scrollTop: 0, event: 3, collapsed: [] },
  };
  const open = await OpenTimeline.open(page, profile, {
    state: [[directory, view]],
    markers: [{ name: NASTY, atNs: Math.round(fromNs + endNs / 10) }],
  });
  await waitUntilDrawn(open);
  return open;
}

async function saved(open: OpenTimeline, format: "SVG" | "PNG"): Promise<string> {
  await open.page.getByRole("button", { name: "Save a picture of what is seen" }).click();
  const way = open.page.getByRole("button", { name: `${format}…` });
  await way.click();
  await expect(way).toBeHidden();
  await expect.poll(() => open.asked("savePicture").length).toBe(1);
  const [picture] = open.asked("savePicture");
  expect(picture?.format).toBe(format.toLowerCase());
  return picture?.content ?? "";
}

test("an SVG is XML with the spans that are seen, and runs nothing", async ({ page }) => {
  const open = await opened(page, (name) => `${NASTY}${name}`);
  const svg = await saved(open, "SVG");
  const found = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    return {
      errors: parsed.querySelectorAll("parsererror").length,
      active: parsed.querySelectorAll("script, foreignObject, image, a, style").length,
      handlers: [...parsed.querySelectorAll("*")].flatMap((element) =>
        element.getAttributeNames().filter((name) => /^on|href/.test(name)),
      ),
      rectangles: parsed.querySelectorAll("rect").length,
      size: parsed.documentElement.getAttribute("viewBox"),
      texts: [...parsed.querySelectorAll("text")].map((element) => element.textContent),
    };
  }, svg);
  expect(found).toMatchObject({ errors: 0, active: 0, handlers: [] });
  const canvas = await page.locator("canvas").boundingBox();
  expect(found.size).toBe(`0 0 ${GUTTER_PX + (canvas?.width ?? 0)} ${canvas?.height}`);
  expect(found.rectangles).toBeGreaterThan(100);
  expect(found.texts).toContain("MainThread 4711");
  expect(found.texts.some((text) => text.startsWith("<script>"))).toBe(true);
  expect(await page.title()).not.toBe("owned");
  expect(open.complaints).toEqual([]);
});

test("a PNG is what the screen shows, though it is drawn without tiles", async ({ page }) => {
  const open = await opened(page);
  const png = await saved(open, "PNG");
  const differing = await page.evaluate(
    async ([base64, gutterPx]) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const canvas = document.querySelector("canvas");
      if (canvas === null) throw new Error("There is no canvas.");
      const { width, height } = canvas;
      const pixels = (draw: (context: OffscreenCanvasRenderingContext2D) => void) => {
        const context = new OffscreenCanvas(width, height).getContext("2d");
        if (context === null) throw new Error("There is no context.");
        draw(context);
        return context.getImageData(0, 0, width, height).data;
      };
      const saved = pixels((context) => {
        context.drawImage(image, -gutterPx, 0);
      });
      const seen = pixels((context) => {
        context.fillStyle = getComputedStyle(document.body).backgroundColor;
        context.fillRect(0, 0, width, height);
        context.drawImage(canvas, 0, 0);
      });
      // Translucent colours are rounded otherwise where they are laid over one another at once.
      const differing = saved.filter((value, index) => Math.abs(value - (seen[index] ?? 0)) > 2);
      return { size: image.width - width, differing: differing.length, whole: saved.length };
    },
    [png, GUTTER_PX] as const,
  );
  expect(differing.size).toBe(GUTTER_PX);
  expect(differing.differing).toBe(0);
  expect(open.complaints).toEqual([]);
});
