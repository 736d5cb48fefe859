// Stored profiles in words, for lists.

import { duration, size } from "../../webview/units";
import { escapeMarkdown } from "../markdown";
import type { ProfileEntry } from "../protocol";
import { type Run, shownOf } from "./storedRuns";
import { visible } from "../../webview/visibleText";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The name, and of a distributed run the rank. */
export function profileLabel(profile: ProfileEntry): string {
  const isOneOfSeveral = profile.worldSize !== null && profile.worldSize > 1;
  const name = visible(profile.name);
  return isOneOfSeveral ? `${name}#${String(profile.rank)}` : name;
}

/** One of a run's ranks, where the run is named beside it: `Rank 0`. */
export function rankLabel({ rank, name }: ProfileEntry): string {
  return rank === null ? visible(name) : `Rank ${String(rank)}`;
}

/** A run of several ranks. */
export function runLabel([first]: Run): string {
  return visible(first.name);
}

/** How many ranks there are, and the one that is shown: `4 ranks · rank 0: 27.6 ms a step · …`. */
export function runDescription(run: Run, nowMs: number): string {
  const shown = shownOf(run);
  const rank = shown.rank === null ? "" : `rank ${String(shown.rank)}: `;
  return `${String(run.length)} ranks · ${rank}${profileDescription(shown, nowMs)}`;
}

/** The text with nothing in it that the editor would take for an icon. */
export function withoutIcons(text: string): string {
  return text.replaceAll("$(", "$ (");
}

/** Device time, target, chip and age: `27.6 ms a step · cpu · priced for trn2 · 2 min ago`. */
export function profileDescription(profile: ProfileEntry, nowMs: number): string {
  const { target, pricedFor, created } = profile;
  const facts = [stepTime(profile), visible(target)];
  if (pricedFor !== null) facts.push(`priced for ${visible(pricedFor)}`);
  return [...facts, ago(Date.parse(created), nowMs)].join(" · ");
}

/** All there is to know, as Markdown. */
export function profileTooltip(profile: ProfileEntry): string {
  const facts = [
    ["Device time", stepTime(profile)],
    ["Recorded steps", String(profile.steps)],
    ["Target", profile.target],
    ["Device", profile.device],
    ...(profile.pricedFor === null ? [] : [["Priced for", profile.pricedFor]]),
    ...(profile.worldSize === null
      ? []
      : [["Rank", `${String(profile.rank)} of ${profile.worldSize}`]]),
    ["Stored", new Date(profile.created).toLocaleString()],
    ["Size", size(profile.sizeBytes)],
  ] as const;
  const rows = facts.map(([name, value = ""]) => `| ${name} | ${escapeMarkdown(value)} |`);
  const title = `**${escapeMarkdown(profileLabel(profile))}**`;
  const table = ["| | |", "|:--|:--|", ...rows].join("\n");
  return `${title}${profile.shown ? " (shown)" : ""}\n\n${table}\n\n${escapeMarkdown(profile.directory)}`;
}

/** The same for those who listen. */
export function profileAccessibleLabel(profile: ProfileEntry, nowMs: number): string {
  const shown = profile.shown ? ", shown" : "";
  return `${profileLabel(profile)}, ${profileDescription(profile, nowMs).replaceAll(" · ", ", ")}${shown}`;
}

/** How long ago a moment was; in words up to a week, then as a date. */
export function ago(thenMs: number, nowMs: number): string {
  const passedMs = nowMs - thenMs;
  if (passedMs < MINUTE_MS) return "just now";
  if (passedMs < HOUR_MS) return `${Math.floor(passedMs / MINUTE_MS)} min ago`;
  if (passedMs < DAY_MS) return `${Math.floor(passedMs / HOUR_MS)} h ago`;
  const days = Math.floor(passedMs / DAY_MS);
  if (days === 1) return "yesterday";
  return days < 7 ? `${days} days ago` : new Date(thenMs).toLocaleDateString();
}

function stepTime({ deviceTimeNs, timeKind, steps }: ProfileEntry): string {
  if (deviceTimeNs === null) return "device time unknown";
  if (deviceTimeNs === 0) return "no device time";
  return `${duration(deviceTimeNs / Math.max(steps, 1), timeKind !== "measured")} a step`;
}
