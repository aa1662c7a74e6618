/** Stores what the demo needs at its next start, in addition to the project's keys. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface DemoState {
  readonly projectId: number;
  readonly audienceId: number;
  /** Sends notifications to the sandbox's receiver. Undefined without a local chain. */
  readonly listener: DemoListener | undefined;
}

export interface DemoListener {
  readonly id: number;
  readonly url: string;
}

export const demoStateName = "demo.json";

export function readDemoState(dataDir: string): DemoState | undefined {
  try {
    return (JSON.parse(readFileSync(join(dataDir, demoStateName), "utf8")) as DemoState | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export function writeDemoState(dataDir: string, state: DemoState): void {
  const path = join(dataDir, demoStateName);
  writeFileSync(`${path}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
