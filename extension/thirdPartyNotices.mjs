// The licences of what is bundled: most of them ask to go where the code goes.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/**
 * @param {readonly import("esbuild").Metafile[]} metafiles What went into the bundles.
 * @returns {Promise<string>} A text with the licence of each package in them.
 */
export async function thirdPartyNotices(metafiles) {
  const packages = new Set(
    metafiles
      .flatMap(({ inputs }) => Object.keys(inputs))
      .flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []),
  );
  const notices = await Promise.all([...packages].sort().map(notice));
  const opening = "Sidelight's extension holds code of these packages, under their licences.\n";
  return [opening, ...notices].join(`\n${"-".repeat(80)}\n\n`);
}

async function notice(directory) {
  const { name, version, license } = JSON.parse(
    await readFile(path.join(directory, "package.json"), "utf8"),
  );
  const file = (await readdir(directory)).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${directory} is bundled and has no licence file.`);
  return `${name} ${version} (${license})\n\n${await readFile(path.join(directory, file), "utf8")}`;
}
