// Looking for events by what stands on them: how many there are, and the way from one to the next.

import type { Find, TimelineMatch } from "../../src/protocol";
import type { FindBar } from "./view/findBar";

const TYPED_MS = 200;

/** What looking for events needs from the page. */
export interface FinderContext {
  readonly bar: FindBar;
  readonly ask: (
    find: Find,
    event: number | null,
    atNs: number,
    direction: "next" | "previous",
  ) => Promise<TimelineMatch | null>;
  /** Shows what is found over the rest; undefined shows everything alike. */
  readonly highlight: (find: Find | undefined) => void;
  readonly goTo: (match: TimelineMatch) => void;
  readonly announce: (text: string) => void;
  readonly selected: () => number | undefined;
  /** Where to look from if nothing is selected. */
  readonly atNs: () => number;
}

export class Finder {
  private find: Find | undefined;
  private asked = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly context: FinderContext) {}

  /** What is looked for; empty where nothing is, or a line's executions are. */
  get text(): string {
    return this.find?.text ?? "";
  }

  /** Looks for a text once no more is typed for a moment. */
  type(text: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.look(text);
    }, TYPED_MS);
  }

  /** Looks for a text, and says how many have it. */
  look(text: string): void {
    const trimmed = text.trim();
    if (trimmed === this.text && trimmed !== "") return;
    this.showFound(trimmed === "" ? undefined : { text: trimmed });
    if (this.find !== undefined) void this.step("next", false);
  }

  /** Shows a line's executions over the rest, and says how many they are. */
  lookForLine(file: string, line: number): void {
    this.context.bar.text = "";
    this.showFound({ file, line });
    void this.step("next", false);
  }

  next(): void {
    void this.step("next", true);
  }

  previous(): void {
    void this.step("previous", true);
  }

  clear(): void {
    this.context.bar.text = "";
    this.showFound(undefined);
  }

  /** Shows everything alike again where a line's executions are shown. */
  leaveLine(): void {
    if (this.find !== undefined && this.find.text === undefined) this.showFound(undefined);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private showFound(find: Find | undefined): void {
    clearTimeout(this.timer);
    this.asked += 1;
    this.find = find;
    this.context.bar.show("");
    this.context.highlight(find);
  }

  private async step(direction: "next" | "previous", isGoing: boolean): Promise<void> {
    // What was typed a moment ago; a line's executions are looked for with nothing typed.
    if (this.context.bar.text.trim() !== "") this.look(this.context.bar.text);
    const { find } = this;
    if (find === undefined) return;
    this.asked += 1;
    const { asked, context } = this;
    try {
      const selected = context.selected() ?? null;
      const match = await context.ask(find, selected, Math.floor(context.atNs()), direction);
      if (asked !== this.asked) return;
      const said = match === null ? "None found" : told(match, isGoing);
      context.bar.show(said);
      // A line was gone to, which is said aloud already.
      if (find.text !== undefined) context.announce(said);
      if (match !== null && isGoing) context.goTo(match);
    } catch (error) {
      if (asked === this.asked) {
        context.bar.show(error instanceof Error ? error.message : String(error));
      }
    }
  }
}

function told({ count, number }: TimelineMatch, isGoing: boolean): string {
  const [all, which] = [count, number].map((each) => each.toLocaleString("en-US"));
  return isGoing ? `${which} of ${all}` : `${all} found`;
}
