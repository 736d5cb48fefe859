// What is said about a span before anything else is asked: in the tooltip, and read aloud.

import { duration, share } from "../../units";
import { at, nameOf, type Spans } from "./spans";

/** A span in words. */
export interface Description {
  readonly title: string;
  readonly lines: readonly string[];
}

/** @param predicted Whether its times are not all measured. */
export function describe(
  spans: Spans,
  span: number,
  trackName: string,
  predicted: boolean,
): Description {
  const durationNs = at(spans.durationNs, span);
  const merged = at(spans.merged, span);
  const time = duration(durationNs, predicted);
  const lines = [`${time} at ${duration(at(spans.startNs, span), predicted)}`, trackName];
  if (merged === 1) {
    return { title: nameOf(spans, span), lines };
  }
  const busy = share(at(spans.busyNs, span), durationNs);
  const what = `${merged} events${busy === "" ? "" : `, busy ${busy}`}`;
  return { title: what, lines: [`longest: ${nameOf(spans, span)}`, ...lines] };
}
