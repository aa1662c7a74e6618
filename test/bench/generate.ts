import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Candidate, measure } from "./measure.ts";
import type { PartOptions } from "./part.ts";
import { figuresOf, printTable } from "./table.ts";

/** Milliseconds of CPU over the empty process, by the medians. */
const bounds = [
  { candidate: "all targets", most: 200 },
  { candidate: "nothing changed", most: 60 },
] as const;

/** Generates the platform's schema into an empty folder, and into one that has it all already. */
export async function benchGenerate({ rounds, seed }: PartOptions): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-bench-"));
  try {
    const samples = await measure(candidatesIn(folder), { rounds, seed });
    printTable(samples);
    const baseline = samples.get("empty node") ?? [];
    return bounds.flatMap(({ candidate, most }) => {
      const { over } = figuresOf(samples.get(candidate) ?? [], baseline, "cpuMs");
      const sentence = `generate, ${candidate}: ${over.toFixed(1)} ms CPU over empty node, at most ${most} is stated`;
      console.log(sentence);
      return over > most ? [sentence] : [];
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
    // The round that is thrown away writes it; every other finds it as it is.
    { name: "nothing changed", args: generate("kept") },
  ];
}
