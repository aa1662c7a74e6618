import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchmarkOptions } from "./benchmark.ts";
import { type Candidate, measure } from "./measure.ts";
import { figuresOf, printTable } from "./table.ts";

/** Limits of CPU time over an empty process, in milliseconds, between the medians. */
const bounds = [
  { candidate: "all targets", maxMs: 200 },
  { candidate: "nothing changed", maxMs: 200 },
] as const;

/** Generates the platform's schema into an empty folder, and into an up-to-date one. */
export async function benchGenerate({ rounds, seed }: BenchmarkOptions): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-bench-"));
  try {
    const samples = await measure(candidatesIn(folder), { rounds, seed });
    printTable(samples);
    const baseline = samples.get("empty node") ?? [];
    return bounds.flatMap(({ candidate, maxMs }) => {
      const { over } = figuresOf(samples.get(candidate) ?? [], baseline, "cpuMs");
      const sentence = `generate, ${candidate}: ${over.toFixed(1)} ms CPU over empty node, limit ${maxMs}`;
      console.log(sentence);
      return over > maxMs ? [sentence] : [];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function candidatesIn(folder: string): readonly Candidate[] {
  const cli = fileURLToPath(new URL("../../dist/ridlkit.js", import.meta.url));
  const schema = fileURLToPath(new URL("../../schema/platform.ridl", import.meta.url));
  const empty = join(folder, "empty.cjs");
  writeFileSync(empty, "");
  const generate = (out: string, ...more: string[]): string[] => [
    cli,
    "generate",
    schema,
    "--out",
    join(folder, out),
    ...more,
  ];
  const cleared = (out: string) => () => rmSync(join(folder, out), { recursive: true, force: true });
  return [
    { name: "empty node", args: [empty] },
    { name: "all targets", args: generate("all"), before: cleared("all") },
    // The discarded warm-up round writes the folder; all others find it up to date.
    { name: "nothing changed", args: generate("unchanged") },
  ];
}
