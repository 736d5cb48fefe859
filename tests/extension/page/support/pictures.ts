// Where spans must be in the picture, worked out from what the page was told, and what is there.

import { expect, type Page } from "@playwright/test";

import type { TimelineWindow } from "../../../../extension/src/protocol";
import { decodeSpans } from "../../../../extension/webview/timeline/model/spans";
import type { SavedView } from "../../../../extension/webview/timeline/model/savedViews";
import type { OpenTimeline } from "./openTimeline";

/** How wide the tracks' names are. */
const GUTTER_PX = 184;

/** In pixels from the canvas's top left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A span in the picture. */
export interface DrawnSpan {
  readonly name: string;
  readonly event: number;
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/** The middle of each row of the generated profile's tracks: the page's look, written down. */
const ROWS: Readonly<Record<string, number>> = {
  "0,0": 75,
  "1,0": 100,
  "7,0": 157,
  "7,1": 176,
  "7,2": 195,
  "7,3": 214,
  "9,0": 239,
  "9,1": 258,
};

/** A row of the generated profile's tracks. */
export interface Row {
  readonly track: number;
  readonly depth: number;
}

export function rowMiddle({ track, depth }: Row): number {
  return ROWS[`${track},${depth}`] ?? NaN;
}

/** The view the page last kept. */
export function viewOf(open: OpenTimeline): SavedView {
  const [entry] = open.state as readonly (readonly [string, SavedView])[];
  if (entry === undefined) {
    throw new Error("The page has kept no view yet.");
  }
  return entry[1];
}

/** Waits until the page has everything to draw its view, and has drawn it. */
export async function waitUntilDrawn(open: OpenTimeline): Promise<void> {
  await expect.poll(async () => (await open.isQuiet()) && open.state !== undefined).toBe(true);
}

/** A span of a row that is wholly in view and followed by a gap. */
export function spanIn(open: OpenTimeline, row: Row): DrawnSpan {
  const view = viewOf(open);
  const { width } = open.page.viewportSize() ?? { width: 0 };
  const pxPerNs = (width - GUTTER_PX) / (view.toNs - view.fromNs);
  const window = open.profile?.window(view.fromNs, view.toNs, width) as TimelineWindow;
  const spans = decodeSpans(window);
  const drawn = Array.from({ length: spans.count }, (_, span) => ({
    name: spans.names[spans.name[span] ?? 0] ?? "",
    event: spans.event[span] ?? -1,
    left: ((spans.startNs[span] ?? 0) - view.fromNs) * pxPerNs,
    right: ((spans.startNs[span] ?? 0) + (spans.durationNs[span] ?? 0) - view.fromNs) * pxPerNs,
    y: rowMiddle(row),
    isInRow: spans.track[span] === row.track && spans.depth[span] === row.depth,
  })).filter(({ isInRow, right }) => isInRow && right < width - GUTTER_PX);
  const found = drawn.find(({ left }) => left > 0);
  if (found === undefined) {
    throw new Error(`No span of row ${row.track},${row.depth} is in view.`);
  }
  return found;
}

/** The colour of a pixel of the picture as it is seen. */
export async function pixelAt(page: Page, { x, y }: Point): Promise<number[]> {
  const canvas = await page.locator("canvas").boundingBox();
  const clip = {
    x: (canvas?.x ?? 0) + Math.round(x),
    y: (canvas?.y ?? 0) + y,
    width: 1,
    height: 1,
  };
  const png = await page.screenshot({ clip });
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    context?.drawImage(image, 0, 0);
    return [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
  }, png.toString("base64"));
}
