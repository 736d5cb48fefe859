// A program's output on its way to a terminal: bytes to text, and never more than can be shown.

/** UTF-8 that comes in pieces, with the line ends a terminal wants. */
export class TerminalDecoder {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #afterReturn = false;

  /** The text of the next bytes; a character cut in two waits for its other half. */
  decode(bytes: Uint8Array): string {
    const text = this.#decoder.decode(bytes, { stream: true });
    if (text === "") return "";
    const startsAfterReturn = this.#afterReturn;
    this.#afterReturn = text.endsWith("\r");
    return text.replace(/\r?\n/g, (lineEnd, index: number) =>
      lineEnd === "\n" && !(index === 0 && startsAfterReturn) ? "\r\n" : lineEnd,
    );
  }
}

/** Text that waits to be shown. Where it grows too long, its beginning makes room. */
export class BoundedText {
  readonly #mostCharacters: number;
  #parts: string[] = [];
  #length = 0;
  #droppedLength = 0;

  constructor(mostCharacters: number) {
    this.#mostCharacters = mostCharacters;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
    // In halves, so that each character is moved a few times at most.
    if (this.#length > 2 * this.#mostCharacters) this.#shorten();
  }

  /** Takes all of it, with a line that says how much is missing. */
  take(): string {
    if (this.#length > this.#mostCharacters) this.#shorten();
    const text = this.#parts.join("");
    const dropped = this.#droppedLength;
    this.#parts = [];
    this.#length = 0;
    this.#droppedLength = 0;
    return dropped === 0
      ? text
      : `\r\n… ${dropped.toLocaleString("en")} characters left out …\r\n${text}`;
  }

  #shorten(): void {
    const text = this.#parts.join("");
    const cut = text.length - this.#mostCharacters;
    const lineEnd = text.indexOf("\n", cut);
    const kept = text.slice(lineEnd === -1 ? cut : lineEnd + 1);
    this.#droppedLength += text.length - kept.length;
    this.#parts = [kept];
    this.#length = kept.length;
  }
}
