import { describe, expect, it } from "vitest";

import { escaped, svgFile, SvgPen } from "../../../../extension/webview/timeline/render/svgPen";

function pen(): SvgPen {
  return new SvgPen({
    plain: (colour) => ({ colour, opacity: 1 }),
    measure: (text) => 6 * text.length,
  });
}

describe("the pen that writes SVG", () => {
  it("writes rectangles, with how opaque they are", () => {
    const drawn = pen();
    drawn.fillStyle = "rgb(1,2,3)";
    drawn.fillRect(1, 2, 3, 4);
    drawn.globalAlpha = 0.25;
    drawn.fillRect(1.005, 2, 3.3333, 4);
    expect(drawn.elements.split("\n")).toEqual([
      '<rect x="1" y="2" width="3" height="4" fill="rgb(1,2,3)"/>',
      '<rect x="1" y="2" width="3.33" height="4" fill="rgb(1,2,3)" fill-opacity="0.25"/>',
    ]);
  });

  it("clips until what was saved is restored, and has the colours back then", () => {
    const drawn = pen();
    drawn.fillStyle = "red";
    drawn.save();
    drawn.beginPath();
    drawn.rect(0, 0, 10, 10);
    drawn.clip();
    drawn.fillStyle = "blue";
    drawn.fillRect(0, 0, 1, 1);
    drawn.restore();
    drawn.fillRect(0, 0, 2, 2);
    expect(drawn.elements.split("\n")).toEqual([
      '<clipPath id="clip1"><path d="M0 0h10v10h-10z"/></clipPath>',
      '<g clip-path="url(#clip1)">',
      '<rect x="0" y="0" width="1" height="1" fill="blue"/>',
      "</g>",
      '<rect x="0" y="0" width="2" height="2" fill="red"/>',
    ]);
  });

  it("has no text that is anything but text", () => {
    expect(escaped(`<a href="x">&'\u0000\ud800\u{1f600}é`)).toBe(
      "&lt;a href=&quot;x&quot;&gt;&amp;&apos;\ufffd\ufffd\u{1f600}é",
    );
    expect(svgFile(10, 5, "</title><script>", "")).not.toContain("<script>");
  });
});
