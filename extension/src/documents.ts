// Generated from pyserver/sidelight/analysis/ by `make protocol`. Do not edit.
// What messages carry as JSON text: the keys are those of `sidelight summary --json`. Times are
// nanoseconds from the profile's start, or sums over the recorded steps.

/** How much memory there is. */
export interface Capacity {
  /** How much; null where that is not known. */
  capacity_bytes: number | null;
  /** What says so; where it is not known, why. For people. */
  source: string;
}

/** What one line has of the time of a cause. */
export interface CauseOfLine {
  /** As in the per-line report; null where no line is known. */
  file: string | null;
  /** 1-based; null likewise. */
  line: number | null;
  /** How long the device had nothing to do for it. */
  duration_ns: number;
  /** In how many stretches. */
  count: number;
  /** What tells so, for the longest of them, as a sentence. */
  evidence: string;
}

/** The time of one cause. */
export interface CauseTime {
  /** The cause. */
  cause: "host_late" | "synchronize" | "data_loader" | "compilation" | "dma_wait" | "collective_wait" | "between_operators" | "unknown";
  /** What it is, as a sentence. */
  meaning: string;
  /** Its stretches, summed. */
  duration_ns: number;
  /** How many there are. */
  count: number;
  /** Whose they are, longest first; their times add up to `duration_ns`. */
  lines: readonly CauseOfLine[];
}

/** One side. */
export interface ChartedProfile {
  /** What the profile is called. */
  name: string;
  /** How many steps its sums are of. */
  steps: number;
  /** Its device time. */
  device_ns: number;
  /** Whose roofs its dots are held against; null where no chip is known. */
  core: string | null;
}

/** Collectives of one name, size and number of ranks. */
export interface CollectiveGroup {
  /** As the profile has it. */
  name: string;
  /** What people call it, such as `all-reduce`. */
  kind: string;
  /** The larger of what a rank gives and what it gets; null where not known. */
  size_bytes: number | null;
  /** How many ranks take part: all of the run's, where nothing tells of a smaller group; null likewise. */
  ranks: number | null;
  /** How many there are in the recorded steps. */
  count: number;
  /** Their times, summed. */
  total_ns: number;
  /** The shortest time. */
  min_ns: number;
  /** The first quartile. */
  q1_ns: number;
  /** The median. */
  median_ns: number;
  /** The third quartile. */
  q3_ns: number;
  /** The longest time. */
  max_ns: number;
  /** The shortest that is no outlier: where a box plot's lower whisker ends. */
  low_ns: number;
  /** The longest that is none, likewise. */
  high_ns: number;
  /** How many lie beyond the whiskers. */
  outliers: number;
  /** Their size over the median time; null where either is not known. */
  median_bytes_per_s: number | null;
}

/** One collective. */
export interface CollectivePoint {
  /** Index of its group. */
  group: number;
  /** When it began, from the profile's start. */
  start_ns: number;
  /** How long it took, waiting for other ranks included. */
  duration_ns: number;
  /** As its group's. */
  size_bytes: number | null;
  /** Whether it is one of its group's outliers. */
  is_outlier: boolean;
}

/** The collectives of the recorded steps. */
export interface Collectives {
  /** Whether the device's rows tell of them, or only the host's. */
  where: "device" | "host";
  /** Whether their times are measured. */
  time_kind: "measured" | "predicted" | "mixed";
  /** By name, size and ranks, longest in total first. */
  groups: readonly CollectiveGroup[];
  /** One by one, in order of their starts; of more than can be shown all outliers, and of the others as many as there is room for, evenly through the run. */
  points: readonly CollectivePoint[];
  /** How many are in no point. */
  points_left_out: number;
}

/** A column. */
export interface Column {
  /** What rows call it. */
  name: string;
  /** What people call it. */
  title: string;
  /** Of its numbers. */
  unit: "" | "ns" | "bytes" | "FLOP" | "FLOP/s" | "FLOP/byte" | "fraction" | "times";
  /** Whether it holds numbers; texts otherwise. */
  is_number: boolean;
  /** Whether a sum over rows means anything. */
  adds_up: boolean;
  /** Whether it is summed over the recorded steps: people are shown the mean step's. */
  per_step: boolean;
  /** Whether the row's `rate_kind` tells how it is known. Of other times the table's `time_kind` does. */
  is_rate: boolean;
  /** What it is, in a sentence. */
  description: string;
}

/** The peak of a core's Tensor Engines. */
export interface ComputeRoof {
  /** What it is of. */
  dtype: string;
  /** FLOP/s, dense. */
  flops_per_s: number;
  /** By memory, the intensity in FLOP/byte from which on this is the limit. */
  ridge_points: Readonly<Record<string, number>>;
  /** Where the figure is from. */
  source: string;
}

/** What a core was used for, in the time that it took. */
export interface CoreUse {
  /** The Tensor Engines' operations: useful ones, those that only turn data round, what limits took, and what was not used; null where the peak or the work is not known. */
  flops: Split | null;
  /** HBM's bandwidth: what was read and written for the program, what was saved for want of room in SBUF and read again, and what was not used; null likewise. */
  hbm: Split | null;
  /** How well DMA was used; null where no transfer is known. */
  dma: DmaUse | null;
  /** How much of the time each was active. */
  engines: readonly EngineUse[];
}

/** What a figure means. */
export interface Definition {
  /** Its short name. */
  name: string;
  /** Its long name. */
  title: string;
  /** What it says, in a sentence or two. */
  text: string;
  /** How it is worked out. */
  formula: string;
  /** Who defined it so. */
  source: string;
}

/** How a figure changed from base to new. */
export interface Difference {
  /** New less base, a step, in the figure's own unit. */
  difference: number;
  /** New by base, a step; null where base is 0. */
  ratio: number | null;
}

/** What DMA moved. null is not known. */
export interface DmaUse {
  /** How many transfers there were. */
  transfers: number | null;
  /** What they moved. */
  moved_bytes: number | null;
  /** Of one of them. */
  mean_bytes: number | null;
  /** Transfers of less are small. */
  small_below_bytes: number;
  /** How many were small. */
  small_transfers: number | null;
  /** What these moved. */
  small_bytes: number | null;
  /** Part of the time in which any transfer ran. */
  active_fraction: number | null;
  /** What they moved a second while any ran. */
  bytes_per_s: number | null;
  /** What the DMA engines of all cores that have rows can move. */
  peak_bytes_per_s: number | null;
  /** The one by the other. */
  efficiency: number | null;
  /** Where the counts are from. */
  source: "rows" | "vendor" | "predicted";
}

/** How much of the time an engine was active. */
export interface EngineUse {
  /** Its name. */
  engine: string;
  /** The fraction, and where it is from. */
  active: Metric;
}

/** Device time by who caused it; the totals of both graphs are `device_time_ns`. */
export interface FlameGraphs {
  /** From a program's outermost line to the innermost. */
  by_line: FlameNode;
  /** From the outermost module to the innermost. */
  by_module: FlameNode;
  /** Whether the times are measured or predicted. */
  time_kind: "measured" | "predicted" | "mixed";
  /** Whether any is apportioned. */
  attribution: "exact" | "apportioned" | "mixed";
}

/** A frame of the graph. Its total is its own time and the totals of its children, exactly. */
export interface FlameNode {
  /** What it is, for people. */
  name: string;
  /** Where it is; null where it is no place in the source. */
  file: string | null;
  /** 1-based; null likewise. */
  line: number | null;
  /** The qualified name of the function that the line belongs to; null likewise. */
  function: string | null;
  /** Device time of its own; of a node of "others" all that they have. */
  self_ns: number;
  /** Its own and its children's. */
  total_ns: number;
  /** How many siblings that were too small it stands for; 0 for a frame of its own. */
  others: number;
  /** Largest total first; those that were too small to be shown stand together last. */
  children: readonly FlameNode[];
}

/** How fast text is generated. null is not known. */
export interface GenerationFigures {
  /** What tells prefill from decode: the user's ranges, the calls' shapes, or a benchmark's report, which knows nothing but its figures. */
  phases_from: "ranges" | "shapes" | "report";
  /** Calls that read prompts. */
  prefill_calls: number | null;
  /** Calls that read the token before. */
  decode_calls: number | null;
  /** Time to first token. */
  ttft: Spread | null;
  /** From token to token. */
  per_token_latency: Spread | null;
  /** Of whole generations; those whose prompt was not recorded are none. */
  end_to_end_latency: Spread | null;
  /** How fast prompts are read. */
  context_encoding_tokens_per_s: number | null;
  /** How fast tokens come after the first. */
  token_generation_tokens_per_s: number | null;
  /** Whether times are measured or predicted. */
  time_kind: "measured" | "predicted" | "mixed";
}

/** What matters most about a profile. */
export interface Headline {
  /** How much device time a step takes, and on what. */
  sentence: string;
  /** Device time, summed over the steps. */
  device_time_ns: number;
  /** How many these are. */
  steps: number;
  /** Whether it is measured. */
  time_kind: "measured" | "predicted" | "mixed";
  /** What holds a step up; null where that cannot be told. */
  bound: "device" | "host" | null;
  /** The same as a sentence, with the figures behind it. */
  verdict: string;
  /** How it is told, as a sentence. */
  rule: string;
  /** What part of the steps the device is busy for, from 0 to 1; null where they took no time. */
  busy_share: number | null;
  /** The lines with most device time, most first. */
  lines: readonly HeadlineLine[];
  /** What the data-quality report has. */
  quality: QualityCount;
}

/** One of the lines with most device time. */
export interface HeadlineLine {
  /** As in the per-line report. */
  file: string;
  /** 1-based. */
  line: number;
  /** Device time with the line innermost, summed over the steps. */
  self_ns: number;
  /** What part that is of all device time, from 0 to 1. */
  share: number;
  /** Whether it is measured. */
  time_kind: "measured" | "predicted" | "mixed";
  /** Whether it was apportioned. */
  attribution: "exact" | "apportioned" | "mixed";
}

/** When the device had nothing to do in the recorded steps, and why. */
export interface IdleTime {
  /** How many steps are summed. */
  steps: number;
  /** Whether the device's times are measured. */
  time_kind: "measured" | "predicted" | "mixed";
  /** How time is given to lines: each stretch is one line's, whole. */
  attribution: "exact" | "apportioned" | "mixed";
  /** From the first start to the last end of device time. */
  span_ns: number;
  /** The time of it in which any row of device time ran. */
  device_busy_ns: number;
  /** That in which none did, within the steps. */
  idle_ns: number;
  /** That in which none did, between steps that do not follow one another. */
  between_steps_ns: number;
  /** How many gaps `idle_ns` is made of; one may have several causes. */
  gaps: number;
  /** Those that took any time, longest first. */
  causes: readonly CauseTime[];
  /** The part of `device_busy_ns` in which only data was moved or exchanged, and nothing computed. */
  waiting_ns: number;
  /** By cause: `collective_wait` and `dma_wait`; their times add up to `waiting_ns`. */
  waiting: readonly CauseTime[];
  /** The longest stretches of `causes`. */
  longest: readonly LongStretch[];
}

/** A stretch of idle time. */
export interface LongStretch {
  /** When it began, from the profile's start. */
  start_ns: number;
  /** How long it was. */
  duration_ns: number;
  /** Why. */
  cause: "host_late" | "synchronize" | "data_loader" | "compilation" | "dma_wait" | "collective_wait" | "between_operators" | "unknown";
  /** The line behind it; null where none is known. */
  file: string | null;
  /** 1-based; null likewise. */
  line: number | null;
  /** The name of the work that ended the gap that it is of. */
  before: string;
  /** What tells so, as a sentence. */
  evidence: string;
}

/** The means over the recorded steps, in nanoseconds; as `TimeParts` has them. */
export interface MeanParts {
  duration_ns: number;
  compute_ns: number;
  collectives_ns: number | null;
  dma_ns: number | null;
  host_ns: number | null;
  idle_ns: number;
}

/** An instant, and what ran then. */
export interface MemoryMoment {
  /** When, from the profile's start. */
  at_ns: number;
  /** Index of the recorded step; null for none. */
  step: number | null;
  /** The line that the host's main thread was in; null where none is known. */
  file: string | null;
  /** 1-based; null likewise. */
  line: number | null;
}

/** A part of what memory held at its peak. */
export interface MemoryPart {
  /** What for. */
  name: string;
  /** How much. */
  size_bytes: number;
}

/** The most that the device's memory held. */
export interface MemoryPeak {
  /** How much. */
  peak_bytes: number;
  /** How that is known. */
  source: "samples" | "tensors" | "program";
  /** Whether it is measured; sizes of tensors are `predicted`. */
  kind: "measured" | "predicted" | "mixed";
  /** How much there is; null where that is not known. */
  capacity_bytes: number | null;
  /** What says so; where it is not known, why. */
  capacity_source: string;
  /** `peak_bytes` of that; over 1, it does not fit. null likewise. */
  share: number | null;
  /** Whose memory it is, where several have some; empty where that is not told. */
  owner: string;
  /** When; null where that is not known. */
  moment: MemoryMoment | null;
  /** What it held, largest first, which adds up to the whole; empty where not known. */
  parts: readonly MemoryPart[];
}

/** The bandwidth of a memory, or of what moves data. */
export interface MemoryRoof {
  /** `HBM`, `DMA` (between memories of the chip) or `NeuronLink` (between chips). */
  memory: string;
  /** Of the whole logical core. */
  bytes_per_s: number;
  /** Where the figure is from. */
  source: string;
}

/** Memory in use over time, as it was sampled. */
export interface MemorySeries {
  /** What it is of. */
  name: string;
  /** The core, device or machine. */
  owner: string;
  /** Which memory it is. */
  kind: "device" | "core" | "host" | "other";
  /** How many values were recorded. */
  samples: number;
  /** The most. */
  peak_bytes: number;
  /** When that was first. */
  peak: MemoryMoment;
  /** The last. */
  last_bytes: number;
  /** How much there is of it. */
  capacity: Capacity;
  /** `(at_ns, bytes)`; a value holds until the next. */
  points: readonly (readonly [number, number])[];
}

/** What is known of memory. */
export interface MemoryUse {
  /** The device's peak; null where it is not known. */
  device: MemoryPeak | null;
  /** What was sampled, in the order of the profile. */
  series: readonly MemorySeries[];
}

/** A figure of a profile. */
export interface Metric {
  /** null where it is not known. */
  value: number | null;
  /** Where it is from. */
  source: "rows" | "vendor" | "predicted";
}

/** What is said of a profile as a whole. */
export interface Overview {
  metrics: Readonly<Record<string, Metric>>;
  kpis: Readonly<Record<string, number | null>>;
  quality: readonly QualityNote[];
  /** What matters most; null where no event was recorded. */
  headline: Headline | null;
  /** What the steps' time went to; null where they took none. */
  step_time: StepTime | null;
  /** Why the device had nothing to do; null where no device time is known. */
  idle: IdleTime | null;
  /** How long collectives take; null where there are none. */
  collectives: Collectives | null;
  /** What memory held; null where nothing is known of it. */
  memory: MemoryUse | null;
  /** What steps and tokens take, and what the key figures mean. */
  performance: Performance;
  /** What the core's arithmetic, bandwidth, engines and DMA were used for. */
  core: CoreUse;
  /** Where operators, lines and modules lie; null where no work is known. */
  roofline: RooflineChart | null;
  /** Device time by who caused it. */
  flame: FlameGraphs;
}

/** The key figures of a profile. */
export interface Performance {
  /** `training` where an optimizer separates the steps or work ran backward, `inference` where phases of generation are known, or modules' calls are the steps. */
  kind: "training" | "inference" | "unknown";
  /** What a step takes; null where there are none. */
  steps: StepFigures | null;
  /** How fast text is generated; null where no phase is known. */
  generation: GenerationFigures | null;
  /** Model FLOPs utilisation, as `metrics` has it. */
  mfu: Metric;
  /** Hardware FLOPs utilisation, likewise. */
  hfu: Metric;
  /** Memory bandwidth utilisation, likewise. */
  mbu: Metric;
  /** What all these mean. */
  definitions: readonly Definition[];
}

/** How many entries the data-quality report has, by severity. */
export interface QualityCount {
  error: number;
  warning: number;
  info: number;
}

/** One entry of the report. */
export interface QualityNote {
  /** Stable snake_case identifier. */
  code: string;
  /** How much the numbers suffer. */
  severity: "info" | "warning" | "error";
  /** Plain sentences: what is so, what follows from it, and the next step. */
  message: string;
  /** How many events, files or places are concerned. */
  count: number;
}

/** How dots moved from one profile to another. */
export interface RooflineChange {
  /** What was before. */
  base: ChartedProfile;
  /** What is now. */
  new: ChartedProfile;
  /** Whether the times that `device_ns` of pairs are differences of are measured or predicted; null where they do not compare. */
  change_kind: "measured" | "predicted" | "mixed" | null;
  /** All of the known work; null where neither side knows any. */
  whole: RooflinePair | null;
  /** By name, largest change first, as all levels. */
  operators: readonly RooflinePair[];
  /** Lines that moved are followed. */
  lines: readonly RooflinePair[];
  /** By the path of their classes or instances. */
  modules: readonly RooflinePair[];
  /** What keeps the two from being compared with full right, as sentences. */
  remarks: readonly string[];
  /** The same of the times and the sources, as `sidelight compare` has it. */
  quality: readonly QualityNote[];
}

/** A profile under its roofline. */
export interface RooflineChart {
  /** What its core can do; null where no chip is known for it. */
  roofs: Roofs | null;
  /** Device time of the recorded steps. */
  device_ns: number;
  /** All of the known work as one dot; null where there is none. */
  whole: RooflineDot | null;
  /** By the operator that counts as a kernel; each where most of its device time is. */
  operators: RooflineLevel;
  /** By source line, as `sidelight lines --explain` has them. */
  lines: RooflineLevel;
  /** By the innermost module. */
  modules: RooflineLevel;
}

/** An operator, line or module under the roofline, over the recorded steps. */
export interface RooflineDot {
  intensity: number | null;
  ridge_point: number | null;
  attainable_flops_per_s: number | null;
  achieved_flops_per_s: number | null;
  roof_ns: number | null;
  times_faster_at_roof: number | null;
  /** What it is. */
  name: string;
  /** Where it is, of an operator most of it; null where it is no place in the source. */
  file: string | null;
  /** 1-based; null likewise. */
  line: number | null;
  /** Device time of the work that is known: the dot's area. */
  device_ns: number;
  /** Whether that is measured or predicted. */
  time_kind: "measured" | "predicted" | "mixed";
  /** What the work is held against the roof with: `device_ns`, but where that was measured on another device than the roof is of, the predicted time. */
  time_ns: number;
  /** Whether `time_ns` is measured or predicted. */
  rate_kind: "measured" | "predicted" | "mixed";
  /** Predicted device time; null where it is not predicted. */
  predicted_ns: number | null;
  /** Whether any of it is a part of what several share. */
  attribution: "exact" | "apportioned" | "mixed";
  /** What the roof is of: that of most of the FLOPs. */
  dtype: string | null;
  /** Useful floating-point operations; null where they are not known. */
  flops: number | null;
  /** What moves between HBM and the core; null likewise. */
  hbm_bytes: number | null;
  /** `overhead` where starting and ending kernels is over half of its predicted time, else what bounds most of the rest; of an engine's work the roof that is nearer. null where that is not known. */
  bound: string | null;
}

/** The dots of one level; their `device_ns` and `unpriced_ns` add up to the device time. */
export interface RooflineLevel {
  /** Largest device time first. */
  dots: readonly RooflineDot[];
  /** Device time behind which no work is known. */
  unpriced_ns: number;
  /** How many of the dots have no place on logarithmic axes: they do no FLOPs, or it is not known what they do, or move. */
  off_chart_dots: number;
  /** Their device time. */
  off_chart_ns: number;
}

/** A dot before and now. */
export interface RooflinePair {
  /** `added` and `removed` are on one side only; of a line also whether its text is the `same`. */
  match: "same" | "changed" | "added" | "removed";
  /** The dot before; null where there was none. */
  base: RooflineDot | null;
  /** The dot now; null where there is none. */
  new: RooflineDot | null;
  /** How its device time a step changed, in nanoseconds: the predicted one where the sides' own are of different kinds. null where it is on one side only, or the two do not compare. */
  device_ns: Difference | null;
}

/** The roofs of one logical core. */
export interface Roofs {
  /** What people call it. */
  core: string;
  /** By dtype, the highest first. */
  compute: readonly ComputeRoof[];
  /** By memory, the widest first. */
  memory: readonly MemoryRoof[];
}

/** A capacity, divided. The amounts that are known add up to it, exactly. */
export interface Split {
  /** `FLOP` or `bytes`. */
  unit: string;
  /** All that could have been done in the time. */
  capacity: number;
  /** What it was used for. */
  parts: readonly SplitPart[];
  /** Where the amounts are from. */
  source: "rows" | "vendor" | "predicted";
  /** What is to be known about them; empty for nothing. */
  remark: string;
}

/** A part of a capacity. */
export interface SplitPart {
  /** What it was used for. */
  name: string;
  /** How much, in the split's unit; null where it is not known. */
  amount: number | null;
  /** The part of the capacity; null likewise. */
  fraction: number | null;
}

/** How times are spread, in nanoseconds. null is not known. */
export interface Spread {
  /** How many there are. */
  count: number | null;
  /** Their mean. */
  mean_ns: number | null;
  /** One in ten is below. */
  p10_ns: number | null;
  /** The median. */
  p50_ns: number | null;
  /** Nine in ten are below. */
  p90_ns: number | null;
  /** 99 in a hundred are below. */
  p99_ns: number | null;
}

/** What a step takes. */
export interface StepFigures {
  /** What separates the steps. */
  separated_by: "optimizer" | "module" | "profiler" | "run";
  /** How long they take. */
  time: Spread;
  /** Samples (sequences) a second, by the median step; null where the recording does not tell how many a step reads, or steps differ in it, or generate text. */
  samples_per_s: number | null;
  /** Tokens a second, likewise. */
  tokens_per_s: number | null;
  /** Whether times are measured or predicted. */
  time_kind: "measured" | "predicted" | "mixed";
}

/** The time of one step. */
export interface StepParts {
  duration_ns: number;
  compute_ns: number;
  collectives_ns: number | null;
  dma_ns: number | null;
  host_ns: number | null;
  idle_ns: number;
  /** When it began, from the profile's start. */
  start_ns: number;
}

/** What the time of the recorded steps went to. */
export interface StepTime {
  /** Whether the device's times, and the host's with them, are measured. */
  time_kind: "measured" | "predicted" | "mixed";
  /** How what overlaps is counted, as a sentence. */
  rule: string;
  /** Summed over the steps. */
  total: TimeParts;
  /** The mean step's. */
  mean: MeanParts;
  /** One after another. */
  steps: readonly StepParts[];
}

/** Some rows of a table, as it was asked for. */
export interface TablePage {
  /** What the rows have; of groups those that add up, and `rows`, how many they hold. */
  columns: readonly Column[];
  /** At most as many as were asked for. Values by column; null is unknown. */
  rows: readonly (Readonly<Record<string, string | number | null>>)[];
  /** How many there are in all, of those that were asked for. */
  total: number;
  /** Over all of those, of the columns that add up; null where no value is known. */
  sums: Readonly<Record<string, string | number | null>>;
  /** The columns that rows can be grouped by: texts that several rows share. */
  groups: readonly string[];
  /** Whether device times are measured or predicted. */
  time_kind: "measured" | "predicted" | "mixed";
  /** Whether any is apportioned. */
  attribution: "exact" | "apportioned" | "mixed";
}

/** A time and what it went to, in nanoseconds: the parts that are known add up to it, exactly. */
export interface TimeParts {
  /** The whole. */
  duration_ns: number;
  /** Something on the device computes. */
  compute_ns: number;
  /** A collective is under way, and nothing computes; null where the device's rows are whole executions, which do not tell. */
  collectives_ns: number | null;
  /** Data is moved, and neither of these; null likewise. */
  dma_ns: number | null;
  /** The device does nothing, and the host works; null where nothing is recorded of it. */
  host_ns: number | null;
  /** The device does nothing, and the host, as far as is recorded, does neither: or it waits. */
  idle_ns: number;
}
