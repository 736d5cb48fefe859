// Real scripts, profiled by the real command line.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { ProfileProcess } from "../../../../extension/src/profiling/profileProcess";
import { advance, BEFORE_START, type RunState } from "../../../../extension/src/profiling/runState";
import { isAlive, waitFor } from "./waiting";

const PYTHON = path.resolve(".venv/bin/python");

const TRAIN = `
import torch
model = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
def train(steps):
    for _ in range(steps):
        model(torch.ones(4, 8)).sum().backward()
        optimizer.step()
`;

// Two children: one in the script's group, one in a group of its own; both outlive a SIGTERM.
const WITH_CHILDREN = `
import os, signal, subprocess, sys, time
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
def start(**options):
    child = subprocess.Popen([sys.executable, "-S", "-c", STUBBORN], stdout=subprocess.PIPE, **options)
    child.stdout.readline()
    return child
children = [start(), start(start_new_session=True)]
with open("pids.partial", "w") as file:
    print(os.getpid(), *(child.pid for child in children), file=file)
os.rename("pids.partial", "pids")
`;

let directory: string;
const running: ProfileProcess[] = [];

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "sidelight-run-"));
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((run) => run.stop()));
  rmSync(directory, { recursive: true, maxRetries: 50, retryDelay: 100 });
});

interface Watched {
  readonly run: ProfileProcess;
  readonly state: () => RunState;
  readonly output: () => string;
}

const NO_PREDICTION = { device: undefined, lnc: undefined, autoCast: "matmult" } as const;

function profile(script: string, ...scriptArguments: string[]): Watched {
  const file = path.join(directory, "train.py");
  writeFileSync(file, script);
  let state = BEFORE_START;
  let output = "";
  const run = new ProfileProcess(
    {
      python: PYTHON,
      interpreter: PYTHON,
      script: file,
      arguments: scriptArguments,
      workingDirectory: directory,
      store: path.join(directory, ".sidelight"),
      target: "cpu",
      prediction: NO_PREDICTION,
      warmupSteps: 1,
      steps: 3,
    },
    {
      onStage: (stage) => (state = advance(state, stage)),
      onOutput: (bytes) => (output += Buffer.from(bytes).toString()),
    },
  );
  running.push(run);
  return { run, state: () => state, output: () => output };
}

function pids(): number[] {
  return readFileSync(path.join(directory, "pids"), "utf8").trim().split(" ").map(Number);
}

test("a script is profiled, and its output and arguments are its own", async () => {
  const { run, state, output } = profile(
    `${TRAIN}import sys\nprint(sys.argv[1:], __file__)\ntrain(6)\n`,
    "--steps",
    "a b",
  );
  const end = await run.ended;
  expect(output()).toContain(`['--steps', 'a b'] ${path.join(directory, "train.py")}\n`);
  expect(end).toMatchObject({ status: 0, signal: null, problem: undefined });
  expect(end.document).toMatchObject({ steps: 3, script_exit: 0, profile: state().profile });
  expect(existsSync(path.join(state().profile ?? "", "profile.json"))).toBe(true);
});

test("a script with an error keeps what it did before, and shows its traceback", async () => {
  const { run, output } = profile(`${TRAIN}train(2)\nraise ValueError("no more")\n`);
  const end = await run.ended;
  expect(end.status).toBe(1);
  expect(end.document).toMatchObject({ script_exit: 1 });
  expect(output()).toMatch(/Traceback[^]*ValueError: no more/);
});

test("a script that runs on is stored, reads what is typed, and can be interrupted", async () => {
  const { run, state, output } = profile(
    `${TRAIN}import time\ntrain(6)\nprint("name?")\nprint("hello", input())\ntime.sleep(600)\n`,
  );
  await waitFor(() => state().phase === "runningOn");
  run.write("Ada\n");
  await waitFor(() => output().includes("hello Ada"));
  run.interrupt();
  const end = await run.ended;
  expect(end.document).toMatchObject({ stopped_by: "interrupt", steps: 3 });
});

test("stopping ends the script and all its children while it records", async () => {
  const { run, state } = profile(
    `${WITH_CHILDREN}${TRAIN}while True: train(1)\n`.replaceAll("range(steps)", "range(1)"),
  );
  await waitFor(() => state().phase === "recording" && existsSync(path.join(directory, "pids")));
  expect(pids().map(isAlive)).toEqual([true, true, true]);
  await run.stop();
  expect(pids().map(isAlive)).toEqual([false, false, false]);
});

test("stopping ends a script that runs on, and its profile stays", async () => {
  const { run, state } = profile(
    `${TRAIN}import time\ntrain(6)\n${WITH_CHILDREN}time.sleep(600)\n`,
  );
  await waitFor(() => state().phase === "runningOn" && existsSync(path.join(directory, "pids")));
  await run.stop();
  expect(pids().map(isAlive)).toEqual([false, false, false]);
  expect(existsSync(path.join(state().profile ?? "", "profile.json"))).toBe(true);
});

test("stopping what has ended touches nothing: its number may be another process's by now", async () => {
  // What the script leaves running has the number that was the run's as its group's.
  const { run } = profile(`${WITH_CHILDREN}${TRAIN}train(6)\n`);
  await run.ended;
  const [, left = 0, leftElsewhere = 0] = pids();
  const before = [left, leftElsewhere].map(isAlive);
  await run.stop();
  run.interrupt();
  const after = [left, leftElsewhere].map(isAlive);
  for (const [index, pid] of [left, leftElsewhere].entries()) {
    if (after[index] === true) process.kill(pid, "SIGKILL");
  }
  expect(before).toContain(true);
  expect(after).toEqual(before);
});

test("a Python that is not there is a problem, not a crash", async () => {
  const run = new ProfileProcess(
    {
      python: path.join(directory, "nothing"),
      interpreter: PYTHON,
      script: "train.py",
      arguments: [],
      workingDirectory: directory,
      store: path.join(directory, ".sidelight"),
      target: "cpu",
      prediction: NO_PREDICTION,
      warmupSteps: 1,
      steps: 3,
    },
    { onStage: () => undefined, onOutput: () => undefined },
  );
  const end = await run.ended;
  expect(end.status).toBeNull();
  expect(end.problem).toContain("ENOENT");
});
