// The terminal of a profiled script: its output, and what is typed for it.

import * as vscode from "vscode";

import { LineEditor } from "./terminalInput";
import { BoundedText, TerminalDecoder } from "./terminalOutput";

/** How long output is gathered before it is shown. */
const FLUSH_MS = 30;
/** The most that is shown at a time; scrolled-back lines are fewer anyway. */
const MOST_CHARACTERS = 200_000;

export interface TerminalListener {
  onInput(text: string): void;
  onEndOfInput(): void;
  onInterrupt(): void;
  /** The terminal was closed. */
  onClose(): void;
}

export class RunTerminal implements vscode.Disposable {
  readonly #written = new vscode.EventEmitter<string>();
  readonly #waiting = new BoundedText(MOST_CHARACTERS);
  readonly #decoder = new TerminalDecoder();
  readonly #editor = new LineEditor();
  readonly #terminal: vscode.Terminal;
  #isOpen = false;
  #isEnded = false;
  #flushing: NodeJS.Timeout | undefined;

  constructor(script: string, listener: TerminalListener) {
    this.#terminal = vscode.window.createTerminal({
      name: `Sidelight: ${script}`,
      iconPath: new vscode.ThemeIcon("pulse"),
      isTransient: true,
      pty: {
        onDidWrite: this.#written.event,
        open: () => {
          this.#isOpen = true;
          this.#flush();
        },
        close: () => {
          this.#isOpen = false;
          listener.onClose();
        },
        handleInput: (text: string) => {
          this.#handleInput(text, listener);
        },
      },
    });
  }

  /** Brings it up; the cursor stays where it is. */
  show(): void {
    this.#terminal.show(true);
  }

  /** Shows bytes of the script's. */
  write(bytes: Uint8Array): void {
    this.#add(this.#decoder.decode(bytes));
  }

  /** Shows a line of Sidelight's own. */
  note(message: string): void {
    this.#add(`\x1b[2m${message}\x1b[0m\r\n`);
  }

  /** Shows how it ended; nothing is typed any more. */
  end(message: string): void {
    this.#isEnded = true;
    this.note(message);
  }

  dispose(): void {
    clearTimeout(this.#flushing);
    this.#terminal.dispose();
    this.#written.dispose();
  }

  #handleInput(text: string, listener: TerminalListener): void {
    if (this.#isEnded) return;
    const typed = this.#editor.type(text);
    this.#add(typed.echo);
    if (typed.send !== "") listener.onInput(typed.send);
    if (typed.interrupt) listener.onInterrupt();
    if (typed.endOfInput) listener.onEndOfInput();
  }

  #add(text: string): void {
    this.#waiting.add(text);
    this.#flushing ??= setTimeout(() => {
      this.#flush();
    }, FLUSH_MS);
  }

  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    // What comes before the terminal is open would be lost.
    if (this.#isOpen && !this.#waiting.isEmpty) this.#written.fire(this.#waiting.take());
  }
}
