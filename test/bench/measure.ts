import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { seededRandom } from "../support/random.ts";

export interface Candidate {
  readonly name: string;
  /** Arguments of `node`. */
  readonly args: readonly string[];
  /** Runs before each process, outside of its figures, for example to empty an output folder. */
  readonly before?: () => void;
  /** Expected exit code. Default 0. */
  readonly code?: number;
}

/** Resource use of one process. */
export interface Sample {
  /** User and system time, in milliseconds. */
  readonly cpuMs: number;
  /** From spawn to exit as the parent sees it, in milliseconds. */
  readonly wallMs: number;
  /** Largest resident set, in MiB. */
  readonly peakMib: number;
}

/**
 * Runs every candidate once per round, in an order that is shuffled for each round, so that changes in machine speed affect all of them.
 * The first round fills the file system caches and is discarded.
 */
export async function measure(
  candidates: readonly Candidate[],
  options: { readonly rounds: number; readonly seed: number },
): Promise<ReadonlyMap<string, readonly Sample[]>> {
  const random = seededRandom(options.seed);
  const samples = new Map<string, Sample[]>(candidates.map(({ name }) => [name, []]));
  for (let round = 0; round <= options.rounds; round++) {
    for (const candidate of random.shuffle(candidates)) {
      candidate.before?.();
      const sample = await runOnce(candidate);
      if (round > 0) samples.get(candidate.name)?.push(sample);
    }
  }
  return samples;
}

/**
 * Preloaded by every candidate, to report its resource use on exit, which Node does not tell the parent. The hook is a small CommonJS file.
 * The empty candidate loads it too, so its cost cancels out. An ES module hook would load the module loader early, and hide that cost.
 */
const hook = fileURLToPath(new URL("report-usage.cjs", import.meta.url));

/** Without the certificates, which Node 20 reads at each start and which can take longer than all else. */
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

function runOnce({ name, args, code: expected = 0 }: Candidate): Promise<Sample> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, ["--require", hook, ...args], {
      env,
      stdio: ["ignore", "ignore", "pipe", "pipe"],
    });
    let report = "";
    let complaint = "";
    child.stdio[3]?.on("data", (chunk: Buffer) => {
      report += chunk.toString();
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      complaint += chunk.toString();
    });
    let wallMs = 0;
    child.on("exit", () => {
      wallMs = performance.now() - started;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code !== expected)
        return reject(new Error(`${name} ended with ${code}: ${complaint.slice(0, 1_000)}`));
      const usage = JSON.parse(report) as NodeJS.ResourceUsage;
      resolve({
        cpuMs: (usage.userCPUTime + usage.systemCPUTime) / 1_000,
        wallMs,
        peakMib: usage.maxRSS / 1_024,
      });
    });
  });
}
