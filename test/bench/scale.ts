import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchmarkOptions } from "./benchmark.ts";
import { type Candidate, measure } from "./measure.ts";
import { compileClient } from "./scale/compile.ts";
import { completeClient } from "./scale/complete.ts";
import { compileHelpers } from "./scale/helpers.ts";
import { benchSchema } from "./schema.ts";
import { figuresOf, printTable } from "./table.ts";

/** The size at which generators are usually compared, and that of a large product. */
const large = { types: 4_000, methods: 2_000 } as const;
const medium = { types: 400, methods: 200 } as const;

/** Limits of CPU time over an empty process, in milliseconds, between the medians. A server contains validators. */
const bounds = [
  { candidate: "types, errors, client", limit: 1_200 },
  { candidate: "all targets", limit: 2_800 },
  { candidate: "200 methods", limit: 300 },
] as const;

/** Upper bound of rounds; a round takes seconds. */
const maxRounds = 5;

/** Generates, compiles and completes a schema of 2,000 methods and 4,000 types, and generates one of a tenth of it. */
export async function benchScale({ rounds, seed }: BenchmarkOptions): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-bench-"));
  try {
    const samples = await measure(candidatesIn(folder), { rounds: Math.min(rounds, maxRounds), seed });
    printTable(samples);
    const baseline = samples.get("empty node") ?? [];
    const generated = bounds.map(({ candidate, limit }) => {
      const { over } = figuresOf(samples.get(candidate) ?? [], baseline, "cpuMs");
      return { description: `${candidate}: ${over.toFixed(0)} ms CPU over empty node`, value: over, limit };
    });
    const figures = [
      ...generated,
      ...compileClient(folder),
      ...(await completeClient(folder)),
      ...compileHelpers(folder),
    ];
    return figures.flatMap(({ description, value, limit }) => {
      const sentence = `scale, ${description}, limit ${limit}`;
      console.log(sentence);
      return value > limit ? [sentence] : [];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function candidatesIn(folder: string): readonly Candidate[] {
  const cli = fileURLToPath(new URL("../../dist/ridlkit.js", import.meta.url));
  const file = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const schema = file("large.ridl", benchSchema(large));
  const mediumSchema = file("medium.ridl", benchSchema(medium));
  const generate = (from: string, out: string, ...more: string[]): string[] => {
    return [cli, "generate", from, "--quiet", "--out", join(folder, out), ...more];
  };
  const cleared = (out: string) => () => rmSync(join(folder, out), { recursive: true, force: true });
  return [
    { name: "empty node", args: [file("empty.cjs", "")] },
    {
      name: "types, errors, client",
      args: generate(schema, "plain", "--target", "types,errors,client"),
      before: cleared("plain"),
    },
    { name: "all targets", args: generate(schema, "all"), before: cleared("all") },
    { name: "200 methods", args: generate(mediumSchema, "medium"), before: cleared("medium") },
  ];
}
