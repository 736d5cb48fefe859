// A page: nothing in it but the bundled script and style, and nothing else may load.

export interface PageParts {
  readonly title: string;
  readonly script: string;
  readonly style: string;
  /** Where the page's own files come from, as a CSP source. */
  readonly ownSource: string;
  readonly nonce: string;
}

export function pageHtml({ title, script, style, ownSource, nonce }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${ownSource}`,
    // These two do not follow the default.
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${style}">
    <title>${title}</title>
  </head>
  <body>
    <script nonce="${nonce}" src="${script}"></script>
  </body>
</html>`;
}
