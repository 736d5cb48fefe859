import { describe, expect, it } from "vitest";

import { bytesOf, MOST_LETTERS, parsePicture } from "../../../../extension/src/views/pictures";

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);

describe("a picture of a page", () => {
  it("is SVG, or PNG in base64, and its bytes", () => {
    const svg = parsePicture("svg", '<svg xmlns="…">é</svg>');
    expect(svg && Buffer.from(bytesOf(svg)).toString("utf8")).toBe('<svg xmlns="…">é</svg>');
    const png = parsePicture("png", PNG.toString("base64"));
    expect(png && Buffer.from(bytesOf(png))).toEqual(PNG);
  });

  it("is nothing else", () => {
    for (const [format, content] of [
      ["html", "<svg ></svg>"],
      ["svg", "<html></html>"],
      ["svg", 1],
      ["png", "<svg ></svg>"],
      ["png", `${PNG.toString("base64")}<`],
      ["png", Buffer.from("no picture").toString("base64")],
      ["svg", `<svg ${" ".repeat(MOST_LETTERS)}`],
    ]) {
      expect(parsePicture(format, content)).toBeUndefined();
    }
  });
});
