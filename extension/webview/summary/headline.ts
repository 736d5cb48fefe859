// What matters most: how long a step takes, what holds it up, and the biggest lines.

import { absent, section } from "../analysis/section";
import { labelsText } from "../analysis/kinds";
import { shareText } from "../analysis/metricText";
import { placeLink, timelineLink } from "../analysis/placeLinks";
import type { TabContext } from "../analysis/tab";
import { disclosure } from "../page/disclosure";
import { element } from "../page/dom";
import { figureTable } from "../page/figureTable";
import { duration } from "../units";

const TITLE = "Headline";
const BOUND = { device: "Device-bound", host: "Host-bound" } as const;

/** The section. */
export function headlineSection(context: TabContext): HTMLElement {
  const { headline } = context.overview;
  if (headline === null) {
    return absent(
      TITLE,
      "wide",
      "No event is recorded in this profile: it has figures alone.",
      "Profile the script itself to see its lines.",
    );
  }
  const { device_time_ns: wholeNs, steps, lines, bound, verdict, rule } = headline;
  const isAnyLabelled = lines.some((each) => labelsText(each) !== "");
  const rows = lines.map((each) => {
    const isPredicted = each.time_kind === "predicted";
    return [
      placeLink(each, context),
      duration(each.self_ns / steps, isPredicted),
      shareText(each.self_ns, wholeNs, isPredicted),
      timelineLink(each, context),
      ...(isAnyLabelled ? [labelsText(each)] : []),
    ] as const;
  });
  const columns = [
    { title: "Line" },
    { title: "Device time a step", isFigure: true },
    { title: "Of all", isFigure: true },
    { title: "Timeline" },
    ...(isAnyLabelled ? [{ title: "Counted" }] : []),
  ];
  const biggest =
    rows.length === 0
      ? element("p", "note", `No line has device time of its own. ${whyNoLine(context)}`)
      : figureTable("The lines with most device time", columns, rows);
  const told = element("p", "note", rule);
  return section(
    TITLE,
    "wide",
    element("p", "lead", headline.sentence),
    element("p", "", ...inWords(verdict, bound)),
    biggest,
    disclosure("How this is told", told),
    told,
  );
}

/** What the data quality says of it, which knows how the profile was recorded. */
function whyNoLine({ overview }: TabContext): string {
  const note = overview.quality.find(({ code }) => code === "no_stacks");
  return (
    note?.message ??
    "The profile does not tell which line launched what: profile the script with Sidelight to have lines."
  );
}

/** A verdict, the word that it begins with set off. */
function inWords(verdict: string, bound: "device" | "host" | null): readonly (Node | string)[] {
  const word = bound === null ? "" : BOUND[bound];
  if (word === "" || !verdict.startsWith(word)) return [verdict];
  return [element("strong", "", word), verdict.slice(word.length)];
}
