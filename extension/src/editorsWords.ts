// The command line's advice, in the editor's words.

const RUN_IT = "it can make tables of this, which are then read";

/** The message with the names of settings in the place of the command line's options. */
export function inEditorsWords(message: string): string {
  return message
    .replaceAll("`--python PATH`", "the setting sidelight.python.interpreter")
    .replaceAll("`--steps N`", "the setting sidelight.profile.steps")
    .replaceAll(/--target (\w+)/g, "sidelight.profile.target set to $1")
    .replaceAll("`--lnc`", "the setting sidelight.prediction.lnc")
    .replaceAll(", or name a store elsewhere with `--store DIR`", "")
    .replaceAll(", or name a store on another disk (`--store DIR`)", "")
    .replaceAll(
      /`sidelight open --run-explorer [^`]*` lets it make tables and reads these/g,
      RUN_IT,
    )
    .replaceAll(/, which --run-explorer needs to read [^\n]*?\. Install/g, ". Install")
    .replaceAll(", or leave the option out to read what can be read without it", "")
    .replaceAll(" Open it without --run-explorer to see what can be read without it.", "")
    .replaceAll("`", "");
}
