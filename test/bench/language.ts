import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Candidate, measure, type Sample } from "./measure.ts";
import type { PartOptions } from "./part.ts";
import { benchSchema } from "./schema.ts";
import { figuresOf, type Measure, printTable } from "./table.ts";

interface Bound {
  readonly candidate: string;
  readonly measure: Measure;
  /** Milliseconds over the empty process, by the medians. */
  readonly most: number;
  readonly unit: string;
}

/** Linting is part of saving a file: under a tenth of a second it feels immediate, and the network disk of a CI takes its share. */
const bounds: readonly Bound[] = [
  { candidate: "lint platform.ridl", measure: "wallMs", most: 75, unit: "ms wall over empty node" },
  // The YAML package is the larger part of it: 25 ms to load as it is published, 4 as we bundle it, and 40 to read.
  { candidate: "lint platform.yaml", measure: "wallMs", most: 120, unit: "ms wall over empty node" },
  {
    candidate: "lint platform.ridl, all rules",
    measure: "wallMs",
    most: 75,
    unit: "ms wall over empty node",
  },
  {
    candidate: "lint 4,000 types, 2,000 methods",
    measure: "cpuMs",
    most: 250,
    unit: "ms CPU over empty node",
  },
];

const growth = [200, 2_000, 20_000] as const;
/** Each ten times larger schema may take that much longer per type; below it, start-up and warm-up still dominate. */
const growthMost = 1.5;

/** Reads and checks the platform's schema, a large one, and three sizes for how the time grows. */
export async function benchLanguage({ rounds, seed }: PartOptions): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-bench-"));
  try {
    const samples = await measure(candidatesIn(folder), { rounds, seed });
    printTable(samples);
    return [...brokenBounds(samples), ...brokenGrowth(samples)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function candidatesIn(folder: string): readonly Candidate[] {
  const lint = fileURLToPath(new URL("../../dist/ridlkit.js", import.meta.url));
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const platform = (form: string): string =>
    fileURLToPath(new URL(`../../schema/platform.${form}`, import.meta.url));
  const large = write("large.ridl", benchSchema({ types: 4_000, methods: 2_000 }));
  return [
    { name: "empty node", args: [write("empty.cjs", "")] },
    { name: "lint platform.ridl", args: [lint, "lint", platform("ridl")] },
    { name: "lint platform.yaml", args: [lint, "lint", platform("yaml")] },
    { name: "lint platform.ridl, all rules", args: [lint, "lint", "--rules", "strict", platform("ridl")] },
    { name: "lint 4,000 types, 2,000 methods", args: [lint, "lint", "--rules", "off", large] },
    ...growth.map((types) => ({
      name: growthName(types),
      args: [
        lint,
        "lint",
        // The rules of style that this project asks for are not what these schemas were written by.
        "--rules",
        "off",
        write(`types-${types}.ridl`, benchSchema({ types, methods: 0 })),
      ],
    })),
  ];
}

function growthName(types: number): string {
  return `lint ${types.toLocaleString("en-US")} types`;
}

type Samples = ReadonlyMap<string, readonly Sample[]>;

function figures(samples: Samples, candidate: string, measured: Measure): ReturnType<typeof figuresOf> {
  return figuresOf(samples.get(candidate) ?? [], samples.get("empty node") ?? [], measured);
}

function brokenBounds(samples: Samples): string[] {
  return bounds.flatMap(({ candidate, measure: measured, most, unit }) => {
    const value = figures(samples, candidate, measured).over;
    const sentence = `${candidate} takes ${value.toFixed(1)} ${unit}, at most ${most} is stated`;
    console.log(sentence);
    return value > most ? [sentence] : [];
  });
}

function brokenGrowth(samples: Samples): string[] {
  const perType = growth.map((types) => ({
    types,
    micros: (figures(samples, growthName(types), "cpuMs").over / types) * 1_000,
  }));
  for (const { types, micros } of perType)
    console.log(`${growthName(types)}: ${micros.toFixed(1)} µs CPU per type over empty node`);
  return perType.flatMap(({ types, micros }, index) => {
    const before = perType[index - 1];
    if (before === undefined || micros <= before.micros * growthMost) return [];
    return [
      `${types} types take ${micros.toFixed(1)} µs each, ${before.types} took ${before.micros.toFixed(1)} µs`,
    ];
  });
}
