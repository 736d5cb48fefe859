// A recording of a real program, answered for by the real server.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";

import type {
  EventDetails,
  Find,
  LineOnTimeline,
  Requests,
  Timeline,
  TimelineArea,
  TimelineCounters,
  TimelineMatch,
  TimelineUtilisation,
  TimelineWindow,
} from "../../../../extension/src/protocol";
import type { ColourBy } from "../../../../extension/webview/timeline/messages";
import type { ProfileAnswers } from "./openTimeline";

const SIDELIGHT = [resolve(".venv/bin/python"), "-m", "sidelight"] as const;

interface LinesReport {
  readonly lines: readonly { readonly file: string; readonly line: number }[];
}

export type RecordedTarget = "cpu" | "fake";

/** A server, and how to talk to it. */
export interface RunningServer {
  readonly server: ChildProcess;
  readonly connection: MessageConnection;
}

/** Starts a server on a folder with a store. */
export async function startServer(folder: string): Promise<RunningServer> {
  const [python, ...sidelight] = SIDELIGHT;
  const server = spawn(python, [...sidelight, "server"], { stdio: ["pipe", "pipe", "ignore"] });
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  connection.listen();
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: null,
    capabilities: { workspace: { workspaceFolders: true } },
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "recorded" }],
  });
  await connection.sendNotification("initialized", {});
  return { server, connection };
}

export class RecordedProfile implements ProfileAnswers {
  private constructor(
    private readonly server: ChildProcess,
    private readonly connection: MessageConnection,
    readonly timeline: Timeline,
    private readonly report: LinesReport,
  ) {}

  /** Profiles a script into a folder's store, and starts a server on that folder. */
  static async record(
    script: string,
    folder: string,
    target: RecordedTarget = "cpu",
  ): Promise<RecordedProfile> {
    const [python, ...sidelight] = SIDELIGHT;
    const store = join(folder, ".sidelight");
    const options = ["profile", "--json", "--target", target, "--store", store, script];
    const output = execFileSync(python, [...sidelight, ...options], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const report = JSON.parse(output) as LinesReport & { readonly profile: string };
    return RecordedProfile.of(await startServer(folder), report.profile, report);
  }

  /** A profile of the store that a server has. */
  static async of(
    { server, connection }: RunningServer,
    directory: string,
    report: LinesReport = { lines: [] },
  ): Promise<RecordedProfile> {
    const timeline = await connection.sendRequest<Timeline>("sidelight/timeline", { directory });
    return new RecordedProfile(server, connection, timeline, report);
  }

  window(
    fromNs: number,
    toNs: number,
    width: number,
    find: Find | null = null,
    colourBy: ColourBy = "category",
  ): Promise<TimelineWindow> {
    const params = { ...this.profile, fromNs, toNs, width, find, colourBy };
    return this.ask("sidelight/timelineWindow", params);
  }

  details(event: number): Promise<EventDetails> {
    return this.ask("sidelight/timelineEvent", { ...this.profile, event });
  }

  area(fromNs: number, toNs: number, tracks: readonly number[]): Promise<TimelineArea> {
    return this.ask("sidelight/timelineArea", { ...this.profile, fromNs, toNs, tracks });
  }

  match(
    find: Find,
    event: number | null,
    atNs: number,
    direction: "next" | "previous",
  ): Promise<TimelineMatch | null> {
    const params = { ...this.profile, find, event, atNs, direction };
    return this.ask("sidelight/timelineMatch", params);
  }

  utilisation(
    fromNs: number,
    toNs: number,
    width: number,
    groups: readonly (readonly number[])[],
  ): Promise<TimelineUtilisation> {
    const params = { ...this.profile, fromNs, toNs, width, groups };
    return this.ask("sidelight/timelineUtilisation", params);
  }

  counters(fromNs: number, toNs: number, width: number): Promise<TimelineCounters> {
    return this.ask("sidelight/timelineCounters", { ...this.profile, fromNs, toNs, width });
  }

  /** Where the line with most device time has it. */
  async costliestLine(): Promise<
    LineOnTimeline & { readonly file: string; readonly line: number }
  > {
    const [costliest] = this.report.lines;
    if (costliest === undefined) {
      throw new Error("No line of the script took device time.");
    }
    const { file, line } = costliest;
    const place = await this.ask("sidelight/lineOnTimeline", { ...this.profile, file, line });
    if (place === null) {
      throw new Error(`${file}:${line} is not on the timeline.`);
    }
    return { ...place, file, line };
  }

  async close(): Promise<void> {
    await this.connection.sendRequest("shutdown");
    await this.connection.sendNotification("exit");
    await once(this.server, "exit");
    this.connection.dispose();
  }

  private get profile(): { readonly directory: string } {
    return { directory: this.timeline.directory };
  }

  private ask<Method extends keyof Requests>(
    method: Method,
    params: Requests[Method]["params"],
  ): Promise<Requests[Method]["result"]> {
    return this.connection.sendRequest(method, params);
  }
}
