// Whether this machine has a Neuron device.

import { readdir } from "node:fs/promises";

/** The driver's files, one a device: `/dev/neuron0`, … */
const DEVICE_FILE = /^neuron\d+$/;

export async function hasChip(devices = "/dev"): Promise<boolean> {
  try {
    return (await readdir(devices)).some((name) => DEVICE_FILE.test(name));
  } catch {
    return false; // No such folder on Windows: and no driver either.
  }
}
