/** The tabs of the page, from left to right. */
export const TAB_NAMES = ["summary", "roofline", "idle", "tables", "flame"] as const;

export type TabName = (typeof TAB_NAMES)[number];
