// Builds tiny wheels, so that environments can be made for real and without a network.

import { mkdir, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { crc32 } from "node:zlib";

export interface WheelOptions {
  readonly name: string;
  readonly version: string;
  /** The content of the package's `__init__.py`. */
  readonly code: string;
  readonly requires?: readonly string[];
}

/** Writes a wheel into a directory and gives its path. */
export async function writeWheel(directory: string, options: WheelOptions): Promise<string> {
  const { name, version, code, requires = [] } = options;
  const info = `${name}-${version}.dist-info`;
  const metadata = [
    "Metadata-Version: 2.1",
    `Name: ${name}`,
    `Version: ${version}`,
    ...requires.map((requirement) => `Requires-Dist: ${requirement}`),
    "",
  ];
  const files = {
    [`${name}/__init__.py`]: code,
    [`${info}/METADATA`]: metadata.join("\n"),
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
  };
  const record = [...Object.keys(files), `${info}/RECORD`].map((file) => `${file},,\n`).join("");
  const wheel = path.join(directory, `${name}-${version}-py3-none-any.whl`);
  await mkdir(directory, { recursive: true });
  await writeFile(wheel, zip({ ...files, [`${info}/RECORD`]: record }));
  return wheel;
}

/** An archive of files that are stored as they are. */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text);
    const encodedName = Buffer.from(name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0); // version needed
    shared.writeUInt16LE((1 << 5) | 1, 8); // 1 January 1980
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(content.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(encodedName.length, 22);
    const body = Buffer.concat([Buffer.from("PK\x03\x04"), shared, encodedName, content]);

    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(0o644 << 16, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.from("PK\x01\x02"),
      Buffer.from([20, 3]), // made by version 2.0, on Unix
      shared,
      rest,
      encodedName,
    );
    bodies.push(body);
    offset += body.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(bodies.length, 4);
  end.writeUInt16LE(bodies.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, entries, Buffer.from("PK\x05\x06"), end]);
}
