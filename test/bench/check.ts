import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Candidate, measure } from "./measure.ts";
import type { PartOptions } from "./part.ts";
import { benchSchema } from "./schema.ts";
import { figuresOf, printTable } from "./table.ts";

const size = { types: 2_000, methods: 1_000 } as const;

/** Milliseconds of CPU over the empty process, by the medians. */
const most = 60;

/** Whether what was generated of 1,000 methods is up to date, which it is. */
export async function benchCheck({ rounds, seed }: PartOptions): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-bench-"));
  try {
    const candidates = candidatesIn(folder);
    const [generate, ...measured] = candidates;
    // Once: it takes a second.
    if (generate !== undefined) await measure([generate], { rounds: 1, seed });
    const samples = await measure(measured, { rounds, seed });
    printTable(samples);
    const { over } = figuresOf(samples.get("check") ?? [], samples.get("empty node") ?? [], "cpuMs");
    const sentence = `check of ${size.methods} methods: ${over.toFixed(1)} ms CPU over empty node, at most ${most} is stated`;
    console.log(sentence);
    return over > most ? [sentence] : [];
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
