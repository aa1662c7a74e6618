import type { Reporter, TestModule } from "vitest/node";

/** Closes a run with the plain line that every CI reads: `12 passed, 0 failed, 1 skipped`. Before it stand the files that failed. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tally = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    const broken: string[] = [];
    for (const module of modules) {
      let tests = 0;
      for (const test of module.children.allTests()) {
        tests++;
        const { state } = test.result();
        tally[state === "passed" ? "passed" : state === "failed" ? "failed" : "skipped"]++;
      }
      // A file that broke before its first test has no test to count.
      if (tests === 0 && module.errors().length > 0) tally.failed++;
      if (!module.ok()) broken.push(module.relativeModuleId);
    }
    for (const file of broken) process.stdout.write(`\nfailed in: ${file}`);
    const skipped = tally.skipped === 0 ? "" : `, ${tally.skipped} skipped`;
    process.stdout.write(`\n${tally.passed} passed, ${tally.failed} failed${skipped}\n`);
  }
}
