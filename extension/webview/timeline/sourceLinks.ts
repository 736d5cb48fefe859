// The ways from the timeline to the source: which line is meant, and who knows where it is.

import type { EventDetails, Place } from "../../src/protocol";

/** What the extension does for them. */
export interface SourceHost {
  readonly reveal: (uri: string, line: number) => void;
  /** Lets a person choose among the lines that an event belongs to. */
  readonly choosePlace: (event: number) => void;
  /** Looks for a source file that is not where it was, and goes to a line of it. */
  readonly locate: (file: string, line: number) => void;
}

export class SourceLinks {
  constructor(private readonly host: SourceHost) {}

  /** Goes to the line of an event; where it belongs to several, a person says which. */
  goTo(details: EventDetails): void {
    if (details.owners > 1) {
      this.host.choosePlace(details.event);
      return;
    }
    const place = sourceOf(details);
    if (place !== undefined) {
      this.open(place);
    }
  }

  /** Goes to a place; its file is looked for where it is not known. */
  open({ uri, file, line, currentLine }: Place): void {
    if (uri === null) {
      this.host.locate(file, line);
    } else {
      this.host.reveal(uri, currentLine ?? line);
    }
  }
}

/** The innermost place that can be gone to. */
export function sourceOf(details: EventDetails): Place | undefined {
  return details.places.find((place) => place.uri !== null);
}
