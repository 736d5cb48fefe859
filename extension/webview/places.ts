// Source lines in words, wherever an event's are listed.

import type { EventDetails, Place } from "../src/protocol";
import { share } from "./units";

/** A place where there is little room: `model.py:24`. */
export function placeName({ file, line }: Pick<Place, "file" | "line">): string {
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  return `${name}:${String(line)}`;
}

/** A place's part of its event's device time: `4.10 µs · 41.0%`; empty where it is not divided. */
export function partText(
  { deviceTimeNs, deviceTimeText }: Place,
  { deviceTimeNs: wholeNs }: Pick<EventDetails, "deviceTimeNs">,
): string {
  if (deviceTimeNs === null || deviceTimeText === null) return "";
  const facts = [deviceTimeText, share(deviceTimeNs, wholeNs ?? 0)];
  return facts.filter((fact) => fact !== "").join(" · ");
}
