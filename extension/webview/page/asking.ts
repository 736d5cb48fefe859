// Questions from a page to the extension, and the answer to each.

interface Failed {
  readonly type: "failed";
  readonly request: number;
  readonly message: string;
}

interface Superseded {
  readonly type: "superseded";
  readonly request: number;
}

/** Why there is no answer: the page has asked for something else instead since. */
export class SupersededError extends Error {
  constructor() {
    super("Something else was asked for since.");
  }
}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

type WithoutNumber<Ask> = Ask extends unknown ? Omit<Ask, "request"> : never;

/** Asks the extension, and hands each answer to whoever asked for it. */
export class Asking<
  Ask extends { readonly type: string; readonly request: number },
  Answer extends { readonly type: string; readonly request: number },
> {
  private readonly waiting = new Map<number, Waiting<Answer>>();
  private last = 0;

  constructor(private readonly post: (message: WithoutNumber<Ask> & { request: number }) => void) {}

  /** Hands an answer over; one that nobody waits for any more is dropped. */
  settle(message: Answer | Failed | Superseded): void {
    const waiting = this.waiting.get(message.request);
    this.waiting.delete(message.request);
    if (isFailed(message)) waiting?.reject(new Error(message.message));
    else if (isSuperseded(message)) waiting?.reject(new SupersededError());
    else waiting?.resolve(message);
  }

  /** Forgets everything asked: no answer comes any more. */
  forget(): void {
    this.waiting.clear();
  }

  /** Asks, and waits for an answer of a type. */
  protected async ask<Type extends Answer["type"]>(
    ask: WithoutNumber<Ask>,
    type: Type,
  ): Promise<Extract<Answer, { type: Type }>> {
    this.last += 1;
    const request = this.last;
    const answer = await new Promise<Answer>((resolve, reject) => {
      this.waiting.set(request, { resolve, reject });
      this.post({ ...ask, request });
    });
    if (answer.type !== type) throw new Error("The page was answered something else.");
    return answer as Extract<Answer, { type: Type }>;
  }
}

function isFailed(message: { readonly type: string }): message is Failed {
  return message.type === "failed";
}

function isSuperseded(message: { readonly type: string }): message is Superseded {
  return message.type === "superseded";
}
