import type { TimelineArea, Timeline } from "../../../src/protocol";
import { duration, share } from "../../units";
import { button, element } from "../../page/dom";

const MOST_ROWS = 12;

/** The pane that tells what a selected area sums up to. */
export class AreaPane {
  readonly root = element("aside", "details area");

  constructor(
    private readonly timeline: Timeline,
    private readonly close: () => void,
  ) {
    this.root.setAttribute("aria-label", "Selected area");
    this.hide();
  }

  showLoading(): void {
    this.fill([element("p", "note", "Loading…")]);
  }

  showProblem(message: string): void {
    this.fill([element("p", "problem", message)]);
  }

  /** Shows what the server found; returns the same in few words. */
  show(area: TimelineArea): string {
    const isPredicted = area.timeKind !== "measured";
    const time = (ns: number): string => duration(ns, isPredicted);
    const lengthNs = area.toNs - area.fromNs;
    const busy = `${time(area.busyNs)} · ${share(area.busyNs, lengthNs)}`;
    const facts: readonly (readonly [string, string])[] = [
      ["Length", time(lengthNs)],
      ["Start", time(area.fromNs)],
      ["Events", count(area.events)],
      ["Busy", busy],
      ["Device time", time(area.deviceTimeNs)],
      ["Device busy", `${time(area.deviceBusyNs)} · ${share(area.deviceBusyNs, lengthNs)}`],
      ["Attribution", area.attribution === "exact" ? "exact" : "apportioned"],
    ];
    const list = element("dl", "facts");
    for (const [term, text] of facts) list.append(element("dt", "", term), element("dd", "", text));
    const names = new Map(this.timeline.tracks.map(({ track, name }) => [track, name]));
    this.fill([
      list,
      ...table(
        "By operator",
        ["Operator", "Events", "Device time"],
        [
          ...area.operators.map(({ name, events, deviceTimeNs }) => [
            name ?? "all others",
            count(events),
            time(deviceTimeNs),
          ]),
        ],
      ),
      ...table(
        "By engine",
        ["Engine", "Busy", "Share"],
        [
          ...area.engines.map(({ core, engine, busyNs, timeKind }) => [
            core === "" ? engine : `${engine} · ${core}`,
            duration(busyNs, timeKind === "predicted"),
            share(busyNs, lengthNs),
          ]),
        ],
      ),
      ...table(
        "By track",
        ["Track", "Events", "Busy"],
        [
          ...area.tracks.map(({ track, events, busyNs }) => [
            names.get(track) ?? "",
            count(events),
            `${time(busyNs)} · ${share(busyNs, lengthNs)}`,
          ]),
        ],
      ),
    ]);
    return `Area of ${time(lengthNs)}: ${count(area.events)} events, device time ${time(area.deviceTimeNs)}`;
  }

  hide(): void {
    this.root.hidden = true;
  }

  private fill(parts: readonly Node[]): void {
    this.root.hidden = false;
    this.root.replaceChildren(
      button("×", "close", this.close, "Close the area"),
      element("h2", "", "Selected area"),
      ...parts,
    );
  }
}

function count(events: number): string {
  return events.toLocaleString("en-US");
}

/** A table with its heading; the rows beyond the first are behind a button. */
function table(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): readonly Node[] {
  if (rows.length === 0) return [];
  const body = element("tbody", "", ...rows.slice(0, MOST_ROWS).map(tableRow));
  const headings = heads.map((head) => {
    const cell = element("th", "", head);
    cell.scope = "col";
    return cell;
  });
  const made = element("table", "sums", element("thead", "", element("tr", "", ...headings)), body);
  made.setAttribute("aria-label", title);
  const parts: Node[] = [element("h3", "", title), made];
  const rest = rows.slice(MOST_ROWS);
  if (rest.length > 0) {
    const more = button(`Show ${rest.length} more`, "secondary", () => {
      body.append(...rest.map(tableRow));
      more.remove();
    });
    parts.push(more);
  }
  return parts;
}

function tableRow(cells: readonly string[]): HTMLElement {
  return element("tr", "", ...cells.map((text) => element("td", "", text)));
}
