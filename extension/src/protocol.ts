// Generated from pyserver/sidelight/server/protocol/ by `make protocol`. Do not edit.
// Times are whole nanoseconds unless the name says otherwise.

/** A profile, and what it comes to. */
export interface Analysis {
  directory: string;
  name: string;
  rank: number | null;
  worldSize: number | null;
  /** One plain sentence, as the command line's first. */
  headline: string;
  device: string;
  timeKind: "measured" | "predicted" | "mixed";
  /** How many are recorded; sums are over all of them. */
  steps: number;
  /** An `Overview` (`extension/src/documents.ts`) as JSON text, with the keys and the numbers of `sidelight summary --json`: nothing between the two looks at it. */
  overviewJson: string;
}

/** The frames that a text was found in. */
export interface FlameMatch {
  /** Their numbers, in order: the root is 0, and each frame is followed by its first child and all below that, then by the next child. */
  frames: readonly number[];
  /** Their totals, each instant once. */
  matchedNs: number;
}

/** A text to look for in the names, functions and paths of a flame graph's frames. */
export interface FlameMatchParams {
  directory: string;
  /** Which graph. */
  graph: "by_line" | "by_module";
  /** The text, whatever its case; an empty one is found nowhere. */
  text: string;
}

/** Where a line of a profile's source is. */
export interface FoundLine {
  /** Its file on this machine; null where that is not found. */
  uri: string | null;
  /** 1-based, where it is now; null where it was removed. */
  currentLine: number | null;
}

/** The rows of one group of a table. */
export interface GroupMember {
  /** What rows were grouped by. */
  column: string;
  /** What they have there; null where that is not known. */
  value: string | null;
}

/** Rows that follow one another. */
export interface RowRange {
  /** The number of the first, from 0 on. */
  first: number;
  /** How many. */
  count: number;
}

/** Rows for a spreadsheet: sums over the recorded steps, as `summary --json` has them. */
export interface TableCsv {
  /** How many there are, beside the heading. */
  rows: number;
  /** The heading and the rows. */
  text: string;
}

/** A table's rows for a spreadsheet. */
export interface TableCsvParams {
  directory: string;
  order: TableOrder;
  /** Which of them; null for all. */
  ranges: readonly RowRange[] | null;
  /** `tab` for what is pasted, `comma` for files. */
  separator: "comma" | "tab";
}

/** Which rows of a table are wanted, and in which order. */
export interface TableOrder {
  /** The table. */
  table: "operators" | "lines" | "modules" | "kernels" | "tensors";
  /** The column to sort by; empty keeps the table's own order, largest device time first. */
  sort?: string;
  /** Whether the largest comes first; what is unknown comes last either way. */
  descending?: boolean;
  /** What one of a row's texts must hold, whatever its case; empty keeps every row. */
  text?: string;
  /** The column whose equal values make one row; empty for none. */
  group?: string;
  /** Keeps the rows of one group only; null keeps all. */
  within?: GroupMember | null;
}

/** Some rows of a table. */
export interface TableParams {
  directory: string;
  order: TableOrder;
  /** The number of the first, from 0 on. */
  first: number;
  /** How many; 1,000 at most. */
  count: number;
}

/** Rows of a table. */
export interface TableRows {
  /** A `TablePage` (`extension/src/documents.ts`) as JSON text. */
  pageJson: string;
}

/** Markers that go, and markers that come: what others have set meanwhile stays. */
export interface MarkersParams {
  /** The profile. */
  directory: string;
  /** One that is not there any more is no error. */
  removed: readonly TimelineMarker[];
  /** One that is there stays the only one of its kind. */
  added: readonly TimelineMarker[];
}

/** A moment that a person has named. */
export interface TimelineMarker {
  name: string;
  /** When. */
  atNs: number;
}

/** All markers of a profile, by time. */
export interface TimelineMarkers {
  markers: readonly TimelineMarker[];
}

/** No parameters, or no result. */
export interface Nothing {
}

/** What Neuron Explorer could tell of an input that only it can read whole. */
export interface ExplorerOffer {
  /** What to open with `run_explorer`: the input, or what of it the tool takes. */
  path: string;
  /** What is missing without it, and how to have it, as sentences. */
  message: string;
  /** What to run where the tool is installed; null where it is on the server's path. */
  command: string | null;
}

/** A file that was written. */
export interface ExportedProfile {
  path: string;
  /** Its size. */
  sizeBytes: number;
  /** How many events it is of. */
  events: number;
  /** What of the profile is not in it, as sentences. */
  missing: readonly string[];
}

/** A profile to write to a file that others read. */
export interface ExportParams {
  directory: string;
  /** What kind of file. */
  format: "perfetto" | "chrome" | "csv" | "html";
  /** The file, absolute; one that is there is replaced. */
  path: string;
  /** As in the LSP. */
  workDoneToken?: string | number | null;
}

/** What came of an input. */
export interface OpenedTrace {
  /** What is shown now: the profile, or the first of several; null where nothing but Neuron's own tool can read anything of it. */
  profile: ProfileEntry | null;
  /** All that were stored, such as the ranks of a run. */
  directories: readonly string[];
  /** What that tool could tell; null where it could tell no more. */
  explorer: ExplorerOffer | null;
}

/** A file or folder to read into a store, and to show. */
export interface OpenTraceParams {
  /** What to read. */
  path: string;
  /** The workspace folder whose store takes it in; null for the only or first one. */
  folderUri?: string | null;
  /** What its operators are priced for; null leaves them without a price. */
  pricing?: PricingParams | null;
  /** Whether Neuron's own tool first makes tables of what only it can read. */
  runExplorer?: boolean;
  /** Directories of profiles to delete once the new ones are stored. */
  replaced?: readonly string[];
  /** As in the LSP. */
  workDoneToken?: string | number | null;
}

/** What device times are predicted for. */
export interface PricingParams {
  /** The chip. */
  chip: "trn1" | "trn2" | "trn3" | "inf2";
  /** Physical cores that make one logical core of it; null for the chip's own default. */
  lnc?: number | null;
  /** Which float32 operators are taken to run in bfloat16. */
  autoCast?: "all" | "matmult" | "none";
}

/** A stored profile, as a list shows it. */
export interface ProfileEntry {
  /** Absolute path; what other messages call a profile by. */
  directory: string;
  id: string;
  name: string;
  /** ISO 8601, UTC. */
  created: string;
  target: string;
  device: string;
  /** Over all recorded steps; null where it is not known. */
  deviceTimeNs: number | null;
  /** How that time is known. */
  timeKind: "measured" | "predicted" | "mixed";
  /** What device times are predicted for, such as `trn2, LNC 2`, beside measured ones or in their place; null where none are. */
  pricedFor: string | null;
  steps: number;
  rank: number | null;
  worldSize: number | null;
  sizeBytes: number;
  /** Whether its folder's annotations are this profile's. */
  shown: boolean;
}

/** The stores of all workspace folders. */
export interface ProfileList {
  stores: readonly StoreListing[];
}

/** One stored profile. */
export interface ProfileParams {
  /** Its directory. */
  directory: string;
}

/** A profile's new name. */
export interface RenameParams {
  directory: string;
  name: string;
}

/** The profile whose numbers stand in a folder's files. */
export interface ShownProfile {
  /** The folder. */
  folderUri: string;
  directory: string;
  name: string;
  target: string;
  device: string;
  timeKind: "measured" | "predicted" | "mixed";
  /** As in ProfileEntry. */
  pricedFor: string | null;
  steps: number;
  rank: number | null;
  worldSize: number | null;
  /** One plain sentence, as the command line's first. */
  headline: string;
  /** Device time a step, as people read it (`27.6 ms`). */
  deviceTimeText: string;
  /** Its index is still being made; numbers follow. */
  loading: boolean;
  /** Why it cannot be shown, as a sentence; null if all is well. */
  problem: string | null;
}

/** What is shown now, one entry a folder that shows something. */
export interface ShownProfiles {
  shown: readonly ShownProfile[];
}

/** The profiles of one workspace folder, newest first. */
export interface StoreListing {
  /** The folder. */
  folderUri: string;
  /** What the client calls it. */
  folderName: string;
  /** The store, whether it exists yet or not. */
  directory: string;
  profiles: readonly ProfileEntry[];
  /** Directories of profiles that are ranks of one run, by rank; of runs with several. */
  runs: readonly (readonly string[])[];
  sizeBytes: number;
  /** Sentences on profiles that cannot be read. */
  problems: readonly string[];
}

/** How dots moved from one profile to another. */
export interface RooflineChanged {
  directory: string;
  baseline: string;
  /** A `RooflineChange` (`extension/src/documents.ts`) as JSON text. */
  changeJson: string;
}

/** Two profiles. */
export interface RooflineChangeParams {
  /** What is now. */
  directory: string;
  /** What was before, a directory likewise. */
  baseline: string;
}

/** What a client may say in `initializationOptions`. */
export interface ClientOptions {
  /** Whether it runs `command:` links in hovers. The one that is used is `sidelight.showTimeline` with a LineParams as its argument. */
  commandLinks?: boolean;
}

/** What stands above functions and classes. */
export interface CodeLensSettings {
  /** Whether anything does. */
  enabled?: boolean;
  /** Functions with less than this part have no lens. */
  minimumSharePercent?: number;
}

/** What stands at line ends. */
export interface InlayHintSettings {
  /** Whether anything does. */
  enabled?: boolean;
  /** Lines with less than this part of the device time have no hint. */
  minimumSharePercent?: number;
  /** Whether to show self device time a step. */
  time?: boolean;
  /** Whether to show its part of the whole. */
  share?: boolean;
  /** Whether to show how often a step enters the line. */
  count?: boolean;
}

/** The part of the `sidelight` settings section that the server reads. */
export interface Settings {
  /** See InlayHintSettings. */
  inlayHints?: InlayHintSettings;
  /** See CodeLensSettings. */
  codeLens?: CodeLensSettings;
  /** Where files and directories of other machines are on this one. */
  sourceMap?: Readonly<Record<string, string>>;
}

/** A line of an open document. */
export interface DocumentLineParams {
  /** The document. */
  uri: string;
  /** 0-based, as it is now. */
  line: number;
}

/** An open document. */
export interface DocumentParams {
  /** The document. */
  uri: string;
}

/** The warm lines of a document, hottest first, at most 1,000. */
export interface Heat {
  /** The document's version they are true for; null where the client gave none. */
  version: number | null;
  lines: readonly HeatLine[];
}

/** A line that is drawn warmer than others. */
export interface HeatLine {
  /** 0-based, in the document as it is now. */
  line: number;
  /** 1 (least) to 8 (most). */
  level: number;
  /** Its part of the profile's device time, 0 to 1. */
  share: number;
  /** The line was changed since the profile was taken. */
  stale: boolean;
}

/** A line of the source, by the profile's own count. */
export interface LineParams {
  directory: string;
  /** As the profile has it. */
  file: string;
  /** 1-based, as it was when the profile was taken. */
  line: number;
}

/** A place in the source. */
export interface Place {
  /** As the profile has it, for people. */
  file: string;
  /** The file on this machine; null where it is not found. */
  uri: string | null;
  /** 1-based, as it was when the profile was taken. */
  line: number;
  /** 1-based, where that line is now; null where it was removed. */
  currentLine: number | null;
  /** Its part of the event's device time, which is divided over several lines; null where it is not. */
  deviceTimeNs: number | null;
  /** The same, as people read it. */
  deviceTimeText: string | null;
}

/** Those that may be it, the likeliest first. */
export interface RankedSources {
  candidates: readonly SourceCandidate[];
}

/** A file that a profile's file may be. */
export interface SourceCandidate {
  uri: string;
  /** How many last parts of the two paths agree. */
  sameEnd: number;
  /** The part of the profile's lines that it has, 0 to 1; null where the profile does not have the text. */
  alike: number | null;
}

/** Files of the workspace that a profile's file may be. */
export interface SourceCandidates {
  /** The profile's. */
  directory: string;
  /** The profile's file, as the profile has it. */
  file: string;
  /** The files to look at. */
  uris: readonly string[];
}

/** Quantities over time, pixel by pixel. */
export interface CounterParams {
  directory: string;
  /** Start of a stretch of time. */
  fromNs: number;
  /** Its end. */
  toNs: number;
  /** How many pixels wide it is drawn, at most 16,000; the answer has fewer where there are thousands of quantities. */
  width: number;
}

/** A quantity in a stretch of time. */
export interface CounterWindow {
  counter: number;
  /** Base64 of a little-endian float32 a pixel: the mean by time; NaN where not known. */
  mean: string;
  /** The same of the highest value. */
  highest: string;
}

/** What events are looked for. */
export interface Find {
  /** Part of what stands on them, whatever its case; empty finds none. */
  text?: string;
  /** With `line`, the line that they are device time of, as the profile has it. */
  file?: string | null;
  /** 1-based, as it was when the profile was taken. */
  line?: number | null;
}

/** How busy a group of tracks is. */
export interface GroupUtilisation {
  /** How long any of its events ran. */
  busyNs: number;
  /** Base64 of a uint8 a pixel: 255 where some event ran all the time, 0 where none did. */
  levels: string;
}

/** An entry of a profile's data-quality report. */
export interface QualityNote {
  /** Stable snake_case identifier. */
  code: string;
  severity: "info" | "warning" | "error";
  /** Plain sentences: what is so, what follows from it, and the next step. */
  message: string;
  /** How many events, files or places are concerned. */
  count: number;
}

/** What a timeline needs before it asks for windows. */
export interface Timeline {
  /** The profile. */
  directory: string;
  name: string;
  rank: number | null;
  worldSize: number | null;
  /** As in ShownProfile. */
  headline: string;
  device: string;
  timeKind: "measured" | "predicted" | "mixed";
  /** Start of the first event of all. */
  startNs: number;
  /** End of the last. */
  endNs: number;
  /** In the order to draw them. */
  tracks: readonly TimelineTrack[];
  /** Quantities over time. */
  counters: readonly TimelineCounter[];
  steps: readonly TimelineStep[];
  /** Names of what spans' `category` numbers mean, by number. */
  categories: readonly string[];
  /** How many events there are in all. */
  events: number;
  /** The data-quality report. */
  quality: readonly QualityNote[];
}

/** A quantity over time, drawn as an area. */
export interface TimelineCounter {
  /** What windows call it by. */
  counter: number;
  name: string;
  unit: "bytes" | "bytes_per_s" | "fraction" | "";
  /** The core, device or machine it was taken on. */
  owner: string;
  /** The lowest value of all. */
  lowest: number;
  /** The highest. */
  highest: number;
  /** How much there is of it, in its unit; null where that is not known. */
  capacity: number | null;
}

/** All quantities of a profile in a stretch of time. */
export interface TimelineCounters {
  fromNs: number;
  toNs: number;
  /** How many pixels there are. */
  width: number;
  counters: readonly CounterWindow[];
}

/** A recorded step. */
export interface TimelineStep {
  number: number;
  startNs: number;
  endNs: number;
}

/** A lane group of the timeline: a thread of the host, or a stream of a device. */
export interface TimelineTrack {
  /** The number spans call it by. */
  track: number;
  kind: "host" | "device";
  name: string;
  /** The process, or of a device the device or core, as the trace has it. */
  process: string;
  /** The thread, or of a device the stream, as the trace has it. */
  thread: string;
  /** What of a NeuronCore it is of, for people; null for whole cores and other devices. */
  engine: string | null;
  /** How many rows its nesting needs, at least 1. */
  depth: number;
  /** Start of its first event. */
  startNs: number;
  /** End of its last. */
  endNs: number;
  /** The track that its spans are regions of modules over; null where they are events. */
  regionsOf: number | null;
}

/** How busy groups of tracks are. */
export interface TimelineUtilisation {
  fromNs: number;
  toNs: number;
  /** How many pixels there are. */
  width: number;
  /** In the order they were asked for. */
  groups: readonly GroupUtilisation[];
}

/** The spans that lie in, or reach into, a window; merged where they are too narrow to be seen. */
export interface TimelineWindow {
  fromNs: number;
  toNs: number;
  /** Events shorter than this were merged with neighbours; 0 where nothing was merged. */
  binNs: number;
  count: number;
  names: readonly string[];
  /** What spans are coloured by, as `colour_by` asked; an empty one is none. */
  keys: readonly string[];
  spans: string;
}

/** How busy groups of tracks are, pixel by pixel. */
export interface UtilisationParams {
  directory: string;
  /** Start of a stretch of time. */
  fromNs: number;
  /** Its end. */
  toNs: number;
  /** How many pixels wide it is drawn, at most 16,000; the answer has fewer where there are thousands of groups. */
  width: number;
  /** The tracks of each. */
  groups: readonly (readonly number[])[];
}

/** A part of a timeline at a resolution. */
export interface WindowParams {
  directory: string;
  /** Its start. */
  fromNs: number;
  /** Its end. */
  toNs: number;
  /** How many pixels wide it is drawn: what is narrower than one is merged. */
  width: number;
  /** What to show alone, to be drawn over the rest; null shows everything. */
  find?: Find | null;
  /** What the spans' `key` tells, by which they are coloured. */
  colourBy?: "category" | "operator" | "module" | "file";
}

/** An engine's part of an area. */
export interface AreaEngine {
  /** Whose engine, as the trace calls the core; empty where it is predicted. */
  core: string;
  /** What people call it. */
  engine: string;
  /** How long it worked inside, whatever ran beside it. */
  busyNs: number;
  /** How that is known. */
  timeKind: "measured" | "predicted";
}

/** An operator's part of an area. */
export interface AreaOperator {
  /** The operator that its rows count under; null for all that are not named. */
  name: string | null;
  /** How many of its rows of device time touch the area. */
  events: number;
  /** Their device time inside. */
  deviceTimeNs: number;
}

/** A stretch of time on some tracks. */
export interface AreaParams {
  directory: string;
  /** Its start. */
  fromNs: number;
  /** Its end. */
  toNs: number;
  /** Its tracks; none means all. */
  tracks?: readonly number[];
}

/** A track's part of an area. */
export interface AreaTrack {
  track: number;
  /** How many of its events touch the area. */
  events: number;
  /** How long any of them ran inside. */
  busyNs: number;
}

/** An event that led to another. */
export interface EventArrow {
  source: EventLink;
  target: EventLink;
}

/** Everything known about one event. */
export interface EventDetails {
  event: number;
  name: string;
  category: string;
  track: number;
  startNs: number;
  durationNs: number;
  /** As people read it, exactly as elsewhere. */
  durationText: string;
  startText: string;
  /** Its own share of device time; null where it takes no part in it. */
  deviceTimeNs: number | null;
  deviceTimeText: string | null;
  /** Whether it ran as part of a backward pass. */
  backward: boolean;
  /** The number of its recorded step; null outside them. */
  step: number | null;
  /** The user's lines that caused it, innermost first. */
  places: readonly Place[];
  /** How many of them, from the first on, it belongs to: those with the largest part of it first. The others are around them. */
  owners: number;
  /** What of its divided device time belongs to no line; null for none. */
  unattributedTimeText: string | null;
  /** The inputs, one line each, such as `float32 [64, 1024]`. */
  shapes: readonly string[];
  /** The events that led to it: the operator of a runtime call, the call of a device row. */
  causes: readonly EventLink[];
  /** The events that it led to. */
  effects: readonly EventLink[];
  /** What led to its causes, and what its effects led to, on to both ends. */
  chain: readonly EventArrow[];
  /** What else is known of it: its work, its place under the roofline, its ids. */
  facts: readonly Fact[];
}

/** An event that another leads to, or follows from. */
export interface EventLink {
  event: number;
  /** How: `launches`, `calls`, or what the file calls it. */
  kind: string;
  name: string;
  track: number;
  depth: number;
  startNs: number;
  durationNs: number;
}

/** One event of a profile. */
export interface EventParams {
  directory: string;
  event: number;
}

/** Something that is known of an event: what it is, and the same for people. */
export interface Fact {
  term: string;
  text: string;
}

/** Where a line's device time lies. */
export interface LineOnTimeline {
  /** Start of a stretch that shows one execution of it well. */
  fromNs: number;
  /** End of it. */
  toNs: number;
  /** The event to select there. */
  event: number;
  /** How many events of device time the line has in all. */
  executions: number;
}

/** The event found before or after a place. */
export interface MatchParams {
  directory: string;
  /** What is looked for. */
  find: Find;
  /** The place, if it is one of those found. */
  event: number | null;
  /** The place, if it is not. */
  atNs: number;
  /** Which way to go; beyond the last comes the first. */
  direction: "next" | "previous";
}

/** What lies in a stretch of time on some tracks, summed up. */
export interface TimelineArea {
  fromNs: number;
  toNs: number;
  /** How many events touch it. */
  events: number;
  /** How long any of them ran. */
  busyNs: number;
  /** How long any row of device time ran. */
  deviceBusyNs: number;
  /** Device time, each row's own. */
  deviceTimeNs: number;
  timeKind: "measured" | "predicted" | "mixed";
  /** `apportioned` where a row's device time inside is a share of an instant, or in proportion to the part of it that is inside. */
  attribution: "exact" | "apportioned";
  /** By operator, the largest first; their device time adds up to the whole. */
  operators: readonly AreaOperator[];
  /** By core and engine; empty where nothing is known of engines. */
  engines: readonly AreaEngine[];
  /** Those that have events in it. */
  tracks: readonly AreaTrack[];
}

/** One of the events that were found. */
export interface TimelineMatch {
  /** How many were found. */
  count: number;
  /** Which of them this is, by time, from 1. */
  number: number;
  event: number;
  startNs: number;
  durationNs: number;
}

/** The columns of a window's spans, in order: name and type. */
export const SPAN_COLUMNS = [
  ["start_ns", "float64"],
  ["duration_ns", "float64"],
  ["busy_ns", "float64"],
  ["event", "int32"],
  ["merged", "uint32"],
  ["name", "uint32"],
  ["key", "uint32"],
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
  "sidelight/openTrace": { params: OpenTraceParams; result: OpenedTrace };
  "sidelight/exportProfile": { params: ExportParams; result: ExportedProfile };
  "sidelight/heat": { params: DocumentParams; result: Heat };
  "sidelight/timeline": { params: ProfileParams; result: Timeline };
  "sidelight/timelineWindow": { params: WindowParams; result: TimelineWindow };
  "sidelight/timelineEvent": { params: EventParams; result: EventDetails };
  "sidelight/timelineArea": { params: AreaParams; result: TimelineArea };
  "sidelight/timelineMatch": { params: MatchParams; result: TimelineMatch | null };
  "sidelight/timelineUtilisation": { params: UtilisationParams; result: TimelineUtilisation };
  "sidelight/timelineCounters": { params: CounterParams; result: TimelineCounters };
  "sidelight/timelineMarkers": { params: MarkersParams; result: TimelineMarkers };
  "sidelight/lineOnTimeline": { params: LineParams; result: LineOnTimeline | null };
  "sidelight/analysis": { params: ProfileParams; result: Analysis };
  "sidelight/table": { params: TableParams; result: TableRows };
  "sidelight/tableCsv": { params: TableCsvParams; result: TableCsv };
  "sidelight/flameMatch": { params: FlameMatchParams; result: FlameMatch };
  "sidelight/lineOfDocument": { params: DocumentLineParams; result: LineParams | null };
  "sidelight/findLine": { params: LineParams; result: FoundLine };
  "sidelight/rooflineChange": { params: RooflineChangeParams; result: RooflineChanged };
  "sidelight/rankSources": { params: SourceCandidates; result: RankedSources };
}

/** What the server tells the client unasked, by method. */
export interface Notifications {
  "sidelight/shownChanged": ShownProfiles;
  "sidelight/annotationsChanged": DocumentParams;
  "sidelight/profilesChanged": Nothing;
  "sidelight/markersChanged": ProfileParams;
}
