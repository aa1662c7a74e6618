/**
 * CPU time of a client call, compared with plain `fetch` and undici. Processes run in interleaved rounds against a raw server, 16 calls in
 * flight.
 */
import { execFile, execFileSync, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { seededRandom } from "../support/random.ts";
import type { Benchmark } from "./benchmark.ts";
import { cases } from "./client/cases.ts";

const here = fileURLToPath(new URL("client/", import.meta.url));
/** Inside node_modules: ignored by git, and undici resolves from there. */
const output = `${here}node_modules/.build/`;
const callsEach = 4_000;

/** The first candidate is the baseline. Each limit applies to the median of the ratios of all rounds. */
const candidates: Readonly<Record<string, number | undefined>> = {
  "fetch-plain": undefined,
  "ours-fetch": 1.05,
  "ours-fetch-in-time": 1.15,
  "undici-plain": undefined,
  "ours-undici": 0.25,
  "ours-undici-in-time": undefined,
};

export const benchClient: Benchmark = async ({ rounds, seed }) => {
  await buildAll();
  const server = fork(`${output}server.mjs`);
  try {
    const port = await new Promise<unknown>((resolve) => server.once("message", resolve));
    const broken: string[] = [];
    for (const name of Object.keys(cases)) {
      const micros = await measure(`http://127.0.0.1:${port}`, name, { rounds, seed });
      broken.push(...report(name, micros));
    }
    return broken;
  } finally {
    server.kill();
  }
};

type Micros = ReadonlyMap<string, readonly number[]>;

async function buildAll(): Promise<void> {
  if (!existsSync(`${here}node_modules/undici`)) {
    const install = ["install", "--no-audit", "--no-fund", "--no-package-lock"];
    execFileSync("npm", install, { cwd: here, stdio: "inherit" });
  }
  const names = Object.keys(candidates).map((name) => `candidates/${name}.mjs`);
  await build({
    entryPoints: [...names, "server.ts"].map((name) => here + name),
    entryNames: "[name]",
    outdir: output,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    external: ["undici"],
    logLevel: "warning",
  });
}

/** Runs every candidate once per round, in an order that is shuffled for each round. */
async function measure(
  origin: string,
  name: string,
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
): Promise<Micros> {
  const random = seededRandom(seed);
  const micros = new Map<string, number[]>(Object.keys(candidates).map((candidate) => [candidate, []]));
  for (let round = 0; round < rounds; round++) {
    for (const candidate of random.shuffle(Object.keys(candidates))) {
      const args = [`${output}${candidate}.mjs`, origin, name, String(callsEach)];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      micros.get(candidate)?.push(Number(stdout));
    }
  }
  return micros;
}

function report(name: string, micros: Micros): string[] {
  const [baseline = []] = micros.values();
  return [...micros].flatMap(([candidate, values]) => {
    const ratio = medianOf(values.map((value, round) => value / (baseline[round] ?? Number.NaN)));
    const least = Math.min(...values).toFixed(1);
    const line = `${name} ${candidate.padEnd(20)} CPU µs a call: min ${least}, median ${medianOf(values).toFixed(1)}, ×${ratio.toFixed(3)}`;
    console.log(line);
    const limit = candidates[candidate];
    return limit !== undefined && ratio > limit ? [`${line}, limit ×${limit}`] : [];
  });
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
