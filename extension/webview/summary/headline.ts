// What matters most: how long a step takes, what holds it up, and the biggest lines.

import type { TabContext } from "../analysis/tab";
import { button, element } from "../page/dom";
import { placeName } from "../places";
import { duration, share } from "../units";

/** The section; nothing where no event was recorded. */
export function headlineSection(context: TabContext): readonly HTMLElement[] {
  const { headline } = context.overview;
  if (headline === null) return [];
  const { device_time_ns: wholeNs, steps, lines } = headline;
  const items = lines.map(({ file, line, self_ns: selfNs, time_kind: kind }) =>
    element(
      "li",
      "",
      button(placeName({ file, line }), "place", () => {
        context.goToLine(file, line);
      }),
      element("span", "part", `${duration(selfNs / steps, kind === "predicted")} a step`),
      element("span", "part", share(selfNs, wholeNs)),
    ),
  );
  const list = items.length === 0 ? [] : [element("ol", "places", ...items)];
  return [
    element(
      "section",
      "card",
      element("h2", "", "Headline"),
      element("p", "", headline.sentence),
      element("p", "", headline.verdict),
      ...list,
    ),
  ];
}
