// Arguments as people type them: words, with the quotes a POSIX shell knows. Nothing is expanded.

/** The words of a line. @throws An error with a sentence, where a quote is left open. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  const token = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/gsy;
  let word: string | undefined;
  while (token.lastIndex < line.length) {
    const start = token.lastIndex;
    const match = token.exec(line);
    if (match === null) {
      throw new Error(`The quote or backslash at character ${start + 1} is not finished.`);
    }
    const [, single, double, escaped, plain] = match;
    const part = single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain;
    if (part !== undefined) {
      word = (word ?? "") + part;
    } else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}

/** A line that splits into these words again. */
export function joinWords(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}
