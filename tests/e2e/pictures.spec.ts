// Pictures of the timeline, through the editor's own dialog into files.

import fs from "node:fs";

import type { Editor } from "./support/editor";
import { expect, test } from "./support/fixtures";
import { openFixedTrace } from "./support/fixedTrace";

test("what is seen of the timeline is saved as SVG and as PNG", async ({ workspace, open }) => {
  openFixedTrace(workspace);
  const editor = await open({ file: "train.py" });
  await editor.palette("Sidelight: Show Timeline");
  const { canvas } = editor.timeline;
  await editor.timeline.findInMiddle("ProfilerStep#1");
  // From the edge of the tracks' names on.
  const seen = await canvas.evaluate((element) => {
    const { right } = element.getBoundingClientRect();
    return { width: Math.round(right), height: element.clientHeight };
  });

  const svg = workspace.path("timeline.svg");
  await save(editor, "SVG", svg);
  const text = fs.readFileSync(svg, "utf8");
  expect(text).toContain("mm_kernel");
  const namespace = 'xmlns="http://www.w3.org/2000/svg"';
  expect(text).toContain(namespace);
  expect(text.replace(namespace, "")).not.toMatch(
    /href|src=|url\((?!#)|\/\/|<script|<style|<image/i,
  );
  expect(await sizeOf(editor, svg, "image/svg+xml")).toEqual(seen);

  const png = workspace.path("timeline.png");
  await save(editor, "PNG", png);
  expect(await sizeOf(editor, png, "image/png")).toEqual(seen);
});

async function save(editor: Editor, format: "SVG" | "PNG", file: string): Promise<void> {
  const { frame } = editor.timeline;
  await frame.getByRole("button", { name: "Save a picture of what is seen" }).click();
  await frame.getByRole("button", { name: `${format}…` }).click();
  await editor.saveTo(file);
  await expect(editor.toast(`The picture is in timeline.${format.toLowerCase()}.`)).toBeVisible();
}

/** The size of a picture, as a browser draws it. */
async function sizeOf(editor: Editor, file: string, type: string) {
  const address = `data:${type};base64,${fs.readFileSync(file).toString("base64")}`;
  return await editor.page.evaluate(async (src) => {
    const image = new Image();
    image.src = src;
    await image.decode();
    return { width: image.naturalWidth, height: image.naturalHeight };
  }, address);
}
