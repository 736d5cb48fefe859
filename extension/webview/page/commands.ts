/** The commands a page may run: nothing else is passed on. */
export const PAGE_COMMANDS = [
  "sidelight.profileOnTrainium",
  "sidelight.openProfile",
  "sidelight.selectProfile",
] as const;

export type PageCommand = (typeof PAGE_COMMANDS)[number];
