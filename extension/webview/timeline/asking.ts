import type {
  EventDetails,
  TimelineArea,
  TimelineCounters,
  TimelineMatch,
  TimelineUtilisation,
  TimelineWindow,
} from "../../src/protocol";
import type { FromPage, ToPage } from "../messages";

type Ask = Extract<FromPage, { readonly request: number }>;
type WithoutNumber<T> = T extends Ask ? Omit<T, "request"> : never;
type Parameters<Type extends Ask["type"]> = Omit<Extract<Ask, { type: Type }>, "request" | "type">;
type Answered = Extract<ToPage, { readonly request: number }>;

interface Waiting {
  readonly resolve: (answer: Exclude<Answered, { type: "failed" }>) => void;
  readonly reject: (error: Error) => void;
}

/** Asks the extension, and hands each answer to whoever asked for it. */
export class Asking {
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  constructor(private readonly post: (message: FromPage) => void) {}

  async window(ask: Parameters<"getWindow">): Promise<TimelineWindow> {
    return (await this.ask({ type: "getWindow", ...ask }, "window")).window;
  }

  async details(ask: Parameters<"getDetails">): Promise<EventDetails> {
    return (await this.ask({ type: "getDetails", ...ask }, "details")).details;
  }

  async area(ask: Parameters<"getArea">): Promise<TimelineArea> {
    return (await this.ask({ type: "getArea", ...ask }, "area")).area;
  }

  async match(ask: Parameters<"getMatch">): Promise<TimelineMatch | null> {
    return (await this.ask({ type: "getMatch", ...ask }, "match")).match;
  }

  async utilisation(ask: Parameters<"getUtilisation">): Promise<TimelineUtilisation> {
    return (await this.ask({ type: "getUtilisation", ...ask }, "utilisation")).utilisation;
  }

  async counters(ask: Parameters<"getCounters">): Promise<TimelineCounters> {
    return (await this.ask({ type: "getCounters", ...ask }, "counters")).counters;
  }

  /** Hands an answer over; one that nobody waits for any more is dropped. */
  settle(message: Answered): void {
    const waiting = this.waiting.get(message.request);
    this.waiting.delete(message.request);
    if (message.type === "failed") {
      waiting?.reject(new Error(message.message));
    } else {
      waiting?.resolve(message);
    }
  }

  /** Forgets everything asked: no answer comes any more. */
  forget(): void {
    this.waiting.clear();
  }

  private async ask<Type extends Exclude<Answered["type"], "failed">>(
    ask: WithoutNumber<Ask>,
    type: Type,
  ): Promise<Extract<Answered, { type: Type }>> {
    this.last += 1;
    const request = this.last;
    const answer = await new Promise<Exclude<Answered, { type: "failed" }>>((resolve, reject) => {
      this.waiting.set(request, { resolve, reject });
      this.post({ ...ask, request });
    });
    if (answer.type !== type) throw new Error("The timeline was answered something else.");
    return answer as Extract<Answered, { type: Type }>;
  }
}
