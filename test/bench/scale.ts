import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Candidate, measure } from "./measure.ts";
import type { PartOptions } from "./part.ts";
import { compileClient } from "./scale/compile.ts";
import { completeClient } from "./scale/complete.ts";
import { benchSchema } from "./schema.ts";
import { figuresOf, printTable } from "./table.ts";

/** As large as the schemas that generators are compared on. */
const size = { types: 4_000, methods: 2_000 } as const;

/** Milliseconds of CPU over the empty process, by the medians. */
const bounds = [
  { candidate: "types, errors, client, server", most: 1_200 },
  { candidate: "with validators", most: 2_800 },
] as const;

/** Most rounds: one takes seconds. */
const roundsMost = 5;

/** A schema of 2,000 methods and 4,000 types: generated, compiled, completed in an editor. */
export async function benchScale({ rounds, seed }: PartOptions): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-bench-"));
  try {
    const samples = await measure(candidatesIn(folder), { rounds: Math.min(rounds, roundsMost), seed });
    printTable(samples);
    const baseline = samples.get("empty node") ?? [];
    const generated = bounds.map(({ candidate, most }) => {
      const { over } = figuresOf(samples.get(candidate) ?? [], baseline, "cpuMs");
      return { says: `${candidate}: ${over.toFixed(0)} ms CPU over empty node`, value: over, most };
    });
    const used = [...generated, ...compileClient(folder), ...(await completeClient(folder))];
    return used.flatMap(({ says, value, most }) => {
      const sentence = `scale, ${says}, at most ${most} is stated`;
      console.log(sentence);
      return value > most ? [sentence] : [];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function candidatesIn(folder: string): readonly Candidate[] {
  const cli = fileURLToPath(new URL("../../dist/ridlkit.js", import.meta.url));
  const text = benchSchema(size);
  const file = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const schema = file("large.ridl", text);
  const generate = (from: string, out: string, ...more: string[]): string[] => {
    return [cli, "generate", from, "--quiet", "--out", join(folder, out), ...more];
  };
  const cleared = (out: string) => () => rmSync(join(folder, out), { recursive: true, force: true });
  return [
    { name: "empty node", args: [file("empty.cjs", "")] },
    {
      name: "types, errors, client, server",
      args: generate(schema, "plain", "--target", "types,errors,client,server"),
      before: cleared("plain"),
    },
    { name: "with validators", args: generate(schema, "all"), before: cleared("all") },
  ];
}
