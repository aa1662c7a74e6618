import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchmarkOptions } from "./benchmark.ts";
import { type Candidate, measure } from "./measure.ts";
import { benchSchema } from "./schema.ts";
import { figuresOf, printTable } from "./table.ts";

const size = { types: 2_000, methods: 1_000 } as const;

/** Maximum CPU time over an empty process, in milliseconds: `check` generates all files in memory, which takes 1,600 ms, and a fifth more for slower runs. */
const maxMs = 1_900;

/** `ridlkit check` of the generated files of 1,000 methods, all up to date. */
export async function benchCheck({ rounds, seed }: BenchmarkOptions): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-bench-"));
  try {
    const candidates = candidatesIn(folder);
    const [generate, ...measured] = candidates;
    // Runs once, because it takes a second.
    if (generate !== undefined) await measure([generate], { rounds: 1, seed });
    const samples = await measure(measured, { rounds, seed });
    printTable(samples);
    const { over } = figuresOf(samples.get("check") ?? [], samples.get("empty node") ?? [], "cpuMs");
    const sentence = `check of ${size.methods} methods: ${over.toFixed(1)} ms CPU over empty node, limit ${maxMs}`;
    console.log(sentence);
    return over > maxMs ? [sentence] : [];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function candidatesIn(folder: string): readonly Candidate[] {
  const cli = fileURLToPath(new URL("../../dist/ridlkit.js", import.meta.url));
  const schema = join(folder, "api.ridl");
  const empty = join(folder, "empty.cjs");
  writeFileSync(schema, benchSchema(size));
  writeFileSync(empty, "");
  const args = [schema, "--out", join(folder, "generated")];
  return [
    { name: "generate", args: [cli, "generate", ...args] },
    { name: "empty node", args: [empty] },
    { name: "check", args: [cli, "check", ...args] },
  ];
}
