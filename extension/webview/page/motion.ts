const SYSTEM = matchMedia("(prefers-reduced-motion: reduce)");
/** What the editor sets where its own setting says so. */
const EDITOR = "vscode-reduce-motion";

/** Whether a person wants nothing to move by itself, as the system or the editor was told. */
export function isMotionUnwelcome(): boolean {
  return SYSTEM.matches || document.body.classList.contains(EDITOR);
}
