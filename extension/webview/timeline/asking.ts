import type { EventDetails, TimelineWindow } from "../../src/protocol";
import type { FromPage, ToPage } from "../messages";

type Ask = Extract<FromPage, { readonly request: number }>;
type WithoutNumber<T> = T extends Ask ? Omit<T, "request"> : never;

interface Waiting {
  readonly resolve: (answer: TimelineWindow | EventDetails) => void;
  readonly reject: (error: Error) => void;
}

/** Asks the extension, and hands each answer to whoever asked for it. */
export class Asking {
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  constructor(private readonly post: (message: FromPage) => void) {}

  window(ask: Omit<Extract<Ask, { type: "getWindow" }>, "request" | "type">) {
    return this.ask({ type: "getWindow", ...ask }) as Promise<TimelineWindow>;
  }

  details(ask: Omit<Extract<Ask, { type: "getDetails" }>, "request" | "type">) {
    return this.ask({ type: "getDetails", ...ask }) as Promise<EventDetails>;
  }

  /** Hands an answer over; one that nobody waits for any more is dropped. */
  settle(message: Extract<ToPage, { readonly request: number }>): void {
    const waiting = this.waiting.get(message.request);
    this.waiting.delete(message.request);
    switch (message.type) {
      case "window":
        waiting?.resolve(message.window);
        break;
      case "details":
        waiting?.resolve(message.details);
        break;
      case "failed":
        waiting?.reject(new Error(message.message));
        break;
    }
  }

  /** Forgets everything asked: no answer comes any more. */
  forget(): void {
    this.waiting.clear();
  }

  private ask(ask: WithoutNumber<Ask>): Promise<TimelineWindow | EventDetails> {
    this.last += 1;
    const request = this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(request, { resolve, reject });
      this.post({ ...ask, request });
    });
  }
}
