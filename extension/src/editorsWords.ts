// The command line's advice, in the editor's words.

/** The message with the names of settings in the place of the command line's options. */
export function inEditorsWords(message: string): string {
  return message
    .replaceAll("`--python PATH`", "the setting sidelight.python.interpreter")
    .replaceAll("`--steps N`", "the setting sidelight.profile.steps")
    .replaceAll(/--target (\w+)/g, "sidelight.profile.target set to $1")
    .replaceAll("`--lnc`", "the setting sidelight.prediction.lnc")
    .replaceAll(", or name a store elsewhere with `--store DIR`", "")
    .replaceAll("`", "");
}
