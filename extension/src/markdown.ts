// Text from profiles, in Markdown that editors render.

import { visible } from "../webview/visibleText";

/** The text with nothing in it that Markdown would take for its own. */
export function escapeMarkdown(text: string): string {
  return visible(text)
    .replace(/[\\`*_{}[\]()#+\-.!~|<>&:/@$"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/\s+/g, " ");
}
