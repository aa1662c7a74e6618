/** What the demo must know again at its next start, beside the keys of its project. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface DemoState {
  readonly projectId: number;
  readonly audienceId: number;
  /** Calls the sandbox's receiver; undefined where there is no chain to be told of. */
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

export function writeDemoState(dataDir: string, kept: DemoState): void {
  const path = join(dataDir, demoStateName);
  writeFileSync(`${path}.new`, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
