import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchmarkOptions } from "./benchmark.ts";
import { type Candidate, measure } from "./measure.ts";
import { benchSchema } from "./schema.ts";
import { figuresOf, printTable } from "./table.ts";

const size = { types: 4_000, methods: 2_000 } as const;

/** Maximum difference between the median CPU times of the command and of an empty process, in milliseconds. */
const maxMs = 1_200;

/** `ridlkit breaking` between two versions of a schema of 2,000 methods, with six changes. */
export async function benchBreaking({ rounds, seed }: BenchmarkOptions): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-bench-"));
  try {
    const samples = await measure(candidatesIn(folder), { rounds, seed });
    printTable(samples);
    const { over } = figuresOf(samples.get("breaking") ?? [], samples.get("empty node") ?? [], "cpuMs");
    const sentence = `breaking of ${size.methods} methods: ${over.toFixed(1)} ms CPU over empty node, limit ${maxMs}`;
    console.log(sentence);
    return over > maxMs ? [sentence] : [];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function candidatesIn(folder: string): readonly Candidate[] {
  const cli = fileURLToPath(new URL("../../dist/ridlkit.js", import.meta.url));
  const [before, now, empty] = ["before.ridl", "now.ridl", "empty.cjs"].map((name) => join(folder, name));
  if (before === undefined || now === undefined || empty === undefined) return [];
  const text = benchSchema(size);
  writeFileSync(before, text);
  writeFileSync(now, edited(text));
  writeFileSync(empty, "");
  return [
    { name: "empty node", args: [empty] },
    { name: "breaking", args: [cli, "breaking", "--against", before, now], code: 1 },
  ];
}

/** Changes a field, an enum value, an error, a method, an argument and a type. */
function edited(text: string): string {
  return text
    .replace("  - id: uint64", "  - id: uint32")
    .replace("  - SECOND\n", "")
    .replace("error 1 ", "error 2 ")
    .replace(/ {2}- Get10\(.*\n/, "")
    .replace("Get20(id: uint64,", "Get20(id: uint64, more: string,")
    .replaceAll(/\bType11\b/g, "Renamed11");
}
