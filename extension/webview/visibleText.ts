// Text that others wrote, for where it stands among our own.

/**
 * The text on one line, with nothing in it that cannot be seen: a character that turns the reading
 * direction would turn our own figures beside it, too.
 */
export function visible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ");
}
