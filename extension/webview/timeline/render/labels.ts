/** Texts cut to fit a width, with the widths measured once for each text. */
export class Labels {
  private readonly widths = new Map<string, number>();

  constructor(private readonly measure: (text: string) => number) {}

  /** The text, or as much of its beginning as fits, with an ellipsis; empty if that says nothing. */
  fit(text: string, widthPx: number): string {
    if (this.width(text) <= widthPx) {
      return text;
    }
    // By the mean width first; then shorter until it fits, as letters differ.
    let length = Math.floor((text.length * widthPx) / this.width(text));
    while (length >= LEAST_LETTERS) {
      const cut = `${text.slice(0, length).trimEnd()}…`;
      if (this.width(cut) <= widthPx) {
        return cut;
      }
      length -= 1;
    }
    return "";
  }

  /** How wide a text is. */
  width(text: string): number {
    let width = this.widths.get(text);
    if (width === undefined) {
      if (this.widths.size >= MOST_KEPT) {
        this.widths.clear();
      }
      width = this.measure(text);
      this.widths.set(text, width);
    }
    return width;
  }
}

const LEAST_LETTERS = 2;
const MOST_KEPT = 20_000;
