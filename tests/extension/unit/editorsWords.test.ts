import { expect, test } from "vitest";

import { inEditorsWords } from "../../../extension/src/editorsWords";

test.each([
  [
    "/s holds ntrace.pb. neuron-explorer is installed here: " +
      "`sidelight open --run-explorer '/s of mine'` lets it make tables and reads these.",
    "/s holds ntrace.pb. neuron-explorer is installed here: " +
      "it can make tables of this, which are then read.",
  ],
  [
    "There is no neuron-explorer on the path, which --run-explorer needs to read /s. " +
      "Install aws-neuronx-tools, or leave the option out to read what can be read without it.",
    "There is no neuron-explorer on the path. Install aws-neuronx-tools.",
  ],
  [
    "neuron-explorer could not read /s: it broke. " +
      "Open it without --run-explorer to see what can be read without it.",
    "neuron-explorer could not read /s: it broke.",
  ],
  [
    "The disk is full. Make room, or name a store on another disk (`--store DIR`).",
    "The disk is full. Make room.",
  ],
  [
    "Where Neuron's tools are, run `neuron-explorer view -d /s`, and open x.",
    "Where Neuron's tools are, run neuron-explorer view -d /s, and open x.",
  ],
])("%s", (message, words) => {
  expect(inEditorsWords(message)).toBe(words);
});
