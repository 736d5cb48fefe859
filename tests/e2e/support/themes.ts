/** A theme of each kind that the editor has, by name. */
export const THEMES = {
  light: "Default Light Modern",
  dark: "Default Dark Modern",
  "high-contrast": "Default High Contrast",
} as const;
