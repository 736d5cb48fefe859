// A run as a state machine: what the command line tells goes in, what a person sees comes out.

import type { Stage } from "./stages";

export interface RunState {
  readonly phase: "starting" | "recording" | "reading" | "showing" | "runningOn";
  /** Of `reading`: the part done, 0 to 1. */
  readonly fraction: number;
  /** The directory of the newest profile the run has stored. */
  readonly profile: string | undefined;
  /** The directory of a recording that only Neuron's own tools can read. */
  readonly recording: string | undefined;
}

export const BEFORE_START: RunState = {
  phase: "starting",
  fraction: 0,
  profile: undefined,
  recording: undefined,
};

export function advance(state: RunState, told: Stage): RunState {
  switch (told.stage) {
    case "starting":
    case "recording":
      return { ...state, phase: told.stage };
    case "reading":
      return { ...state, phase: "reading", fraction: told.fraction };
    case "stored":
      return { ...state, phase: "showing", profile: told.profile };
    case "running_on":
      return { ...state, phase: "runningOn", profile: told.profile };
    case "kept":
      return { ...state, recording: told.recording };
    case "ended":
      // What is left to read is told by `reading`; else all is stored, or there is nothing.
      return state.profile === undefined ? state : { ...state, phase: "showing" };
  }
}

/** What the progress says. */
export function progressText(state: RunState, script: string): string {
  switch (state.phase) {
    case "starting":
      return `Starting ${script} …`;
    case "recording":
      return "Recording …";
    case "reading":
      return `Reading the recording … ${Math.floor(100 * state.fraction)} %`;
    case "showing":
      return "Showing the profile …";
    case "runningOn":
      return "Done";
  }
}
