import { expect, test } from "vitest";

import { pageHtml } from "../../../../extension/src/views/pageHtml";

test("the page loads its own style and its own script, and nothing else", () => {
  const html = pageHtml({
    title: "Sidelight Timeline",
    script: "https://own/timeline.js",
    style: "https://own/timeline.css",
    ownSource: "https://own",
    nonce: "abc",
  });
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
  expect(policy?.split("; ")).toEqual([
    "default-src 'none'",
    "script-src 'nonce-abc'",
    "style-src https://own",
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  expect(html.match(/<script[^>]*>/g)).toEqual([
    '<script nonce="abc" src="https://own/timeline.js">',
  ]);
  expect(html).not.toMatch(/ style=| on\w+=|<style/);
});
