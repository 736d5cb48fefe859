// What the extension host calls: runs the suite with Mocha and says how it went.

import Mocha from "mocha";

import { describeContributions } from "./contributions";
import { describeFeatures } from "./features";

/** Marks what is ours among the editor's own log lines. */
function say(line: string): void {
  console.log(`[host] ${line}`);
}

export function run(): Promise<void> {
  const mocha = new Mocha({ ui: "bdd", timeout: 300_000, reporter: Reporter });
  // The suites are in this bundle, so they are declared by calls, not loaded from files.
  mocha.suite.emit("pre-require", globalThis, "index.js", mocha);
  describeContributions();
  describeFeatures();
  return new Promise((resolve, reject) => {
    mocha.run((failures) => {
      if (failures > 0) {
        reject(new Error(`${failures} failed`));
      } else {
        resolve();
      }
    });
  });
}

class Reporter extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    let passed = 0;
    let failed = 0;
    runner.on("pass", (test) => {
      passed += 1;
      say(`  passed  ${test.fullTitle()} (${test.duration ?? 0} ms)`);
    });
    runner.on("fail", (test, error: Error) => {
      failed += 1;
      say(`  FAILED  ${test.fullTitle()}\n${error.stack ?? error.message}`);
    });
    runner.on("end", () => {
      say(`${passed} passed, ${failed} failed`);
    });
  }
}
