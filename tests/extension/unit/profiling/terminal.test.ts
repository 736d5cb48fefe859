import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { LineEditor } from "../../../../extension/src/profiling/terminalInput";
import { BoundedText, TerminalDecoder } from "../../../../extension/src/profiling/terminalOutput";

describe("output", () => {
  test("in whatever pieces it comes, it is the same text", () => {
    const unit = fc.constantFrom("a", "é", "→", "🙂", "\n", "\r", "\r\n", "\x1b[31m");
    fc.assert(
      fc.property(fc.string({ unit }), fc.array(fc.nat(40)), (text, cuts) => {
        const bytes = Buffer.from(text);
        const bounds = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length];
        bounds.sort((one, other) => one - other);
        const decoder = new TerminalDecoder();
        const shown = bounds.map((start, index) =>
          decoder.decode(bytes.subarray(start, bounds[index + 1])),
        );
        expect(shown.join("")).toBe(text.replaceAll(/\r?\n/g, "\r\n"));
      }),
    );
  });

  test("what is no UTF-8 is shown as such and stops nothing", () => {
    expect(new TerminalDecoder().decode(Buffer.from([0x61, 0xff, 0x62]))).toBe("a\ufffdb");
  });

  test("text waits until it is taken", () => {
    const text = new BoundedText(100);
    text.add("one\r\n");
    text.add("two\r\n");
    expect(text.take()).toBe("one\r\ntwo\r\n");
    expect(text.isEmpty).toBe(true);
    expect(text.take()).toBe("");
  });

  test("of too much text the end is kept, from a line's start, and the rest is counted", () => {
    const text = new BoundedText(20);
    const lines = Array.from({ length: 1_000 }, (_, line) => `line ${line}\r\n`);
    for (const line of lines) text.add(line);
    const kept = "line 998\r\nline 999\r\n";
    const left = (lines.join("").length - kept.length).toLocaleString("en");
    expect(text.take()).toBe(`\r\n… ${left} characters left out …\r\n${kept}`);
  });
});

describe("input", () => {
  test("a line goes out when it is complete, and is echoed as it is typed", () => {
    const editor = new LineEditor();
    expect(editor.type("ye")).toMatchObject({ echo: "ye", send: "" });
    expect(editor.type("s\r")).toMatchObject({ echo: "s\r\n", send: "yes\n" });
  });

  test("backspace takes a character back, and nothing at a line's start", () => {
    expect(new LineEditor().type("\x7fa🙂\x7f\r")).toMatchObject({
      echo: "a🙂\b \b\r\n",
      send: "a\n",
    });
  });

  test("several pasted lines go out together", () => {
    expect(new LineEditor().type("a\r\nb\nc").send).toBe("a\nb\n");
  });

  test("Ctrl-C interrupts and forgets the line; Ctrl-D on an empty line ends the input", () => {
    const editor = new LineEditor();
    expect(editor.type("abc\x03")).toMatchObject({ interrupt: true, send: "" });
    expect(editor.type("x\x04").endOfInput).toBe(false);
    expect(editor.type("\r\x04")).toMatchObject({ send: "x\n", endOfInput: true });
  });

  test("arrow keys mean nothing", () => {
    expect(new LineEditor().type("a\x1b[A\x1bOB\x1b[1;5C\r").send).toBe("a\n");
  });
});
