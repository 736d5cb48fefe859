// What the status bar says of a shown profile.

import { escapeMarkdown } from "../markdown";
import type { ShownProfile } from "../protocol";
import { withoutIcons } from "../views/profileText";
import { rankText } from "../../webview/ranks";
import { visible } from "../../webview/visibleText";

export interface ShownText {
  /** With the editor's icons in it. */
  readonly text: string;
  /** Markdown. */
  readonly tooltip: string;
  /** For those who listen. */
  readonly label: string;
  readonly isWarning: boolean;
}

export function shownText(profile: ShownProfile): ShownText {
  const names = [profile.name, rankText(profile)].filter((part) => part !== "");
  const name = withoutIcons(visible(names.join(" · ")));
  if (profile.problem !== null) {
    return text("warning", name, [profile.problem], true);
  }
  if (profile.loading) {
    return text("loading~spin", name, ["Its numbers are being added up."], false);
  }
  const steps = profile.steps === 1 ? "1 recorded step" : `${profile.steps} recorded steps`;
  const facts = [profile.device, profile.timeKind, steps];
  if (profile.pricedFor !== null) facts.push(`priced for ${profile.pricedFor}`);
  const told = [profile.headline, facts.join(" · ")];
  return text("pulse", `${name} · ${profile.deviceTimeText}`, told, false);
}

function text(icon: string, words: string, told: readonly string[], isWarning: boolean): ShownText {
  const paragraphs = [...told.map(escapeMarkdown), "Click to select another profile."];
  return {
    text: `$(${icon}) ${words}`,
    tooltip: paragraphs.join("\n\n"),
    label: `Sidelight shows the profile ${[words, ...told].join(", ")}`,
    isWarning,
  };
}
