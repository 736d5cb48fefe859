// What profiles can be exported as, and what the files are called until a person says otherwise.

import type { ExportParams } from "../protocol";

export type ExportFormat = ExportParams["format"];

/** A kind of file. */
export interface ExportKind {
  readonly format: ExportFormat;
  readonly label: string;
  readonly detail: string;
  /** How such files' names end, without the dot. */
  readonly ending: string;
  /** Whether the editor, or a browser, shows such a file as what it is. */
  readonly isReadable: boolean;
}

export const EXPORT_KINDS: readonly ExportKind[] = [
  {
    format: "html",
    label: "Report (HTML)",
    detail: "One file to send to somebody: lines, idle time, roofline and figures",
    ending: "html",
    isReadable: true,
  },
  {
    format: "perfetto",
    label: "Perfetto trace",
    detail: "For ui.perfetto.dev",
    ending: "pftrace",
    isReadable: false,
  },
  {
    format: "chrome",
    label: "Chrome trace (JSON)",
    detail: "For chrome://tracing; Sidelight opens it again with the same lines",
    ending: "json",
    isReadable: false,
  },
  {
    format: "csv",
    label: "Events (CSV)",
    detail: "A row for every event of the recorded steps",
    ending: "csv",
    isReadable: true,
  },
];

/** Characters; file systems allow 255 bytes, and one may take four. */
const LONGEST = 60;

/**
 * A file's name made of a profile's, which anybody may have chosen: letters, digits, and what is
 * harmless between them.
 */
export function fileNameFor(profileName: string, { ending }: ExportKind): string {
  const harmless = profileName.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+/, "");
  const kept = Array.from(harmless)
    .slice(0, LONGEST)
    .join("")
    .replace(/[-.]+$/, "");
  return `${kept === "" ? "profile" : kept}.${ending}`;
}
