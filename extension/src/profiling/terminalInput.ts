// What is typed into a script's terminal, line by line, as a terminal hands it to a program.

/** What a key press comes to. */
export interface Typed {
  /** Text to show for it. */
  readonly echo: string;
  /** Complete lines for the program. */
  readonly send: string;
  readonly interrupt: boolean;
  readonly endOfInput: boolean;
}

const INTERRUPT = "\x03";
const END_OF_INPUT = "\x04";
const ERASE = "\x7f";
const ESCAPE = "\x1b";
/** Arrow keys and the like, which mean nothing here. */
const KEY_SEQUENCE = new RegExp(`${ESCAPE}(\\[[0-9;]*[A-Za-z~]|O[A-Za-z])`, "g");
const ERASE_ON_SCREEN = "\b \b";

export class LineEditor {
  #line: string[] = [];

  type(text: string): Typed {
    let echo = "";
    let send = "";
    let interrupt = false;
    let endOfInput = false;
    const characters = text.replace(KEY_SEQUENCE, "").replaceAll("\r\n", "\r");
    for (const character of characters) {
      if (character === "\r" || character === "\n") {
        send += `${this.#line.join("")}\n`;
        echo += "\r\n";
        this.#line = [];
      } else if (character === INTERRUPT) {
        echo += "^C\r\n";
        this.#line = [];
        interrupt = true;
      } else if (character === END_OF_INPUT) {
        if (this.#line.length === 0) endOfInput = true;
      } else if (character === ERASE) {
        if (this.#line.pop() !== undefined) echo += ERASE_ON_SCREEN;
      } else if (character >= " " || character === "\t") {
        this.#line.push(character);
        echo += character;
      }
    }
    return { echo, send, interrupt, endOfInput };
  }
}
