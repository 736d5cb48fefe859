// Generated from pyserver/sidelight/server/protocol.py by `make protocol`. Do not edit.
// Times are whole nanoseconds unless the name says otherwise.

/** No parameters, or no result. */
export interface Nothing {
}

/** A stored profile, as a list shows it. */
export interface ProfileEntry {
  directory: string;
  id: string;
  name: string;
  created: string;
  target: string;
  device: string;
  deviceTimeNs: number | null;
  steps: number;
  rank: number | null;
  worldSize: number | null;
  sizeBytes: number;
  shown: boolean;
}

/** The profiles of one workspace folder, newest first. */
export interface StoreListing {
  folderUri: string;
  folderName: string;
  directory: string;
  profiles: readonly ProfileEntry[];
  sizeBytes: number;
  problems: readonly string[];
}

/** The stores of all workspace folders. */
export interface ProfileList {
  stores: readonly StoreListing[];
}

/** The profile whose numbers stand in a folder's files. */
export interface ShownProfile {
  folderUri: string;
  directory: string;
  name: string;
  target: string;
  device: string;
  timeKind: "measured" | "predicted" | "mixed";
  steps: number;
  headline: string;
  deviceTimeText: string;
  loading: boolean;
  problem: string | null;
}

/** What is shown now, one entry a folder that shows something. */
export interface ShownProfiles {
  shown: readonly ShownProfile[];
}

/** One stored profile. */
export interface ProfileParams {
  directory: string;
}

/** A profile's new name. */
export interface RenameParams {
  directory: string;
  name: string;
}

/** A file or folder to read into a store, and to show. */
export interface OpenTraceParams {
  path: string;
  folderUri?: string | null;
  workDoneToken?: string | number | null;
}

/** An open document. */
export interface DocumentParams {
  uri: string;
}

/** A line that is drawn warmer than others. */
export interface HeatLine {
  line: number;
  level: number;
  share: number;
  stale: boolean;
}

/** The warm lines of a document, hottest first, at most 1,000. */
export interface Heat {
  version: number | null;
  lines: readonly HeatLine[];
}

/** A lane group of the timeline: a thread of the host, or a stream of a device. */
export interface TimelineTrack {
  track: number;
  kind: "host" | "device";
  name: string;
  depth: number;
  startNs: number;
  endNs: number;
}

/** A recorded step. */
export interface TimelineStep {
  number: number;
  startNs: number;
  endNs: number;
}

/** What a timeline needs before it asks for windows. */
export interface Timeline {
  directory: string;
  name: string;
  headline: string;
  device: string;
  timeKind: "measured" | "predicted" | "mixed";
  startNs: number;
  endNs: number;
  tracks: readonly TimelineTrack[];
  steps: readonly TimelineStep[];
  categories: readonly string[];
  events: number;
}

/** A part of a timeline at a resolution. */
export interface WindowParams {
  directory: string;
  fromNs: number;
  toNs: number;
  width: number;
}

/** The spans that lie in, or reach into, a window; merged where they are too narrow to be seen. */
export interface TimelineWindow {
  fromNs: number;
  toNs: number;
  binNs: number;
  count: number;
  names: readonly string[];
  spans: string;
}

/** One event of a profile. */
export interface EventParams {
  directory: string;
  event: number;
}

/** A place in the source. */
export interface Place {
  file: string;
  uri: string | null;
  line: number;
  currentLine: number | null;
}

/** Everything known about one event. */
export interface EventDetails {
  event: number;
  name: string;
  category: string;
  track: number;
  startNs: number;
  durationNs: number;
  durationText: string;
  startText: string;
  deviceTimeNs: number | null;
  deviceTimeText: string | null;
  backward: boolean;
  step: number | null;
  places: readonly Place[];
  shapes: readonly string[];
}

/** A line of the source, by the profile's own count. */
export interface LineParams {
  directory: string;
  file: string;
  line: number;
}

/** Where a line's device time lies. */
export interface LineOnTimeline {
  fromNs: number;
  toNs: number;
  event: number;
  executions: number;
}

/** What a client may say in ``initializationOptions``. */
export interface ClientOptions {
  commandLinks?: boolean;
}

/** What stands at line ends. */
export interface InlayHintSettings {
  enabled?: boolean;
  minimumSharePercent?: number;
  time?: boolean;
  share?: boolean;
  count?: boolean;
}

/** What stands above functions and classes. */
export interface CodeLensSettings {
  enabled?: boolean;
  minimumSharePercent?: number;
}

/** The part of the ``sidelight`` settings section that the server reads. */
export interface Settings {
  inlayHints?: InlayHintSettings;
  codeLens?: CodeLensSettings;
}

/** The columns of a window's spans, in order: name and type. */
export const SPAN_COLUMNS = [
  ["start_ns", "float64"],
  ["duration_ns", "float64"],
  ["busy_ns", "float64"],
  ["event", "int32"],
  ["merged", "uint32"],
  ["name", "uint32"],
  ["track", "uint16"],
  ["depth", "uint16"],
  ["category", "uint8"],
] as const;

/** What the client asks the server for, by method. */
export interface Requests {
  "sidelight/listProfiles": { params: Nothing; result: ProfileList };
  "sidelight/shownProfiles": { params: Nothing; result: ShownProfiles };
  "sidelight/showProfile": { params: ProfileParams; result: ShownProfile };
  "sidelight/clearAnnotations": { params: Nothing; result: Nothing };
  "sidelight/deleteProfile": { params: ProfileParams; result: Nothing };
  "sidelight/renameProfile": { params: RenameParams; result: Nothing };
  "sidelight/openTrace": { params: OpenTraceParams; result: ProfileEntry };
  "sidelight/heat": { params: DocumentParams; result: Heat };
  "sidelight/timeline": { params: ProfileParams; result: Timeline };
  "sidelight/timelineWindow": { params: WindowParams; result: TimelineWindow };
  "sidelight/timelineEvent": { params: EventParams; result: EventDetails };
  "sidelight/lineOnTimeline": { params: LineParams; result: LineOnTimeline | null };
}

/** What the server tells the client unasked, by method. */
export interface Notifications {
  "sidelight/shownChanged": ShownProfiles;
  "sidelight/annotationsChanged": DocumentParams;
  "sidelight/profilesChanged": Nothing;
}
