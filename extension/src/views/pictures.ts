// Pictures that a page has drawn: checked, before anything is done with them.

/** A picture, and what it is written as. */
export interface Picture {
  readonly format: "svg" | "png";
  /** The text of an SVG; a PNG in base64. */
  readonly content: string;
}

/** A screen of 8K as PNG is less, and so is an SVG of as many rectangles as a page draws. */
export const MOST_LETTERS = 64 * 1024 * 1024;

const PNG_BEGINS = "iVBORw0KGgo";
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The picture that two fields of a message are; undefined where they are none. */
export function parsePicture(format: unknown, content: unknown): Picture | undefined {
  if (typeof content !== "string" || content.length > MOST_LETTERS) return undefined;
  if (format === "svg" && content.startsWith("<svg ")) return { format, content };
  if (format === "png" && content.startsWith(PNG_BEGINS) && BASE64.test(content)) {
    return { format, content };
  }
  return undefined;
}

/** What the file holds. */
export function bytesOf({ format, content }: Picture): Uint8Array {
  return Buffer.from(content, format === "svg" ? "utf8" : "base64");
}
