import { describe, expect, it } from "vitest";

import { SavedViews } from "../../../../extension/webview/timeline/model/savedViews";

const VIEW = { fromNs: 1, toNs: 2, scrollTop: 0, event: null, collapsed: ["host"] };

describe("saved views", () => {
  it("come back as they were", () => {
    const kept = SavedViews.from(undefined).saved("/a", VIEW);
    const stored: unknown = JSON.parse(JSON.stringify(kept));
    expect(SavedViews.from(stored).of("/a")).toEqual(VIEW);
    expect(SavedViews.from(stored).of("/b")).toBeUndefined();
  });

  it("are the eight latest", () => {
    const views = SavedViews.from(undefined);
    for (let index = 0; index < 12; index += 1) {
      views.saved(`/${index}`, VIEW);
    }
    expect(views.saved("/4", VIEW).map(([directory]) => directory)).toEqual([
      "/5",
      "/6",
      "/7",
      "/8",
      "/9",
      "/10",
      "/11",
      "/4",
    ]);
  });

  it.each([
    null,
    "text",
    { "/a": VIEW },
    [["/a"]],
    [["/a", null]],
    [["/a", { ...VIEW, fromNs: "1" }]],
    [["/a", { ...VIEW, toNs: null }]],
    [["/a", { ...VIEW, collapsed: [1] }]],
  ])("ignore what is no view: %j", (state) => {
    expect(SavedViews.from(state).of("/a")).toBeUndefined();
  });
});
