import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { platformYaml } from "../support/platform-yaml.ts";
import type { BenchmarkOptions } from "./benchmark.ts";
import { type Candidate, measure, type Sample } from "./measure.ts";
import { benchSchema } from "./schema.ts";
import { figuresOf, type Measure, printTable } from "./table.ts";

interface Bound {
  readonly candidate: string;
  readonly measure: Measure;
  /** Milliseconds over an empty process, between the medians. */
  readonly limit: number;
  readonly unit: string;
}

/** Editors lint on save, which feels immediate below 100 ms. On CI machines the network disk takes a part of that. */
const bounds: readonly Bound[] = [
  { candidate: "lint platform.ridl", measure: "wallMs", limit: 75, unit: "ms wall over empty node" },
  // Mostly the YAML package: 25 ms to load as published, 4 ms as bundled here, and 40 ms to parse.
  { candidate: "lint platform.yaml", measure: "wallMs", limit: 120, unit: "ms wall over empty node" },
  {
    candidate: "lint platform.ridl, all rules",
    measure: "wallMs",
    limit: 75,
    unit: "ms wall over empty node",
  },
  {
    candidate: "lint 4,000 types, 2,000 methods",
    measure: "cpuMs",
    limit: 250,
    unit: "ms CPU over empty node",
  },
];

const growth = [200, 2_000, 20_000] as const;
/** A schema ten times larger may take this factor longer per type. Below it, start-up and warm-up dominate. */
const maxGrowth = 1.5;

/** Lints the platform's schema, a large one, and three sizes to measure growth. */
export async function benchLanguage({ rounds, seed }: BenchmarkOptions): Promise<readonly string[]> {
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
  const platform = fileURLToPath(new URL("../../schema/platform.ridl", import.meta.url));
  const large = write("large.ridl", benchSchema({ types: 4_000, methods: 2_000 }));
  return [
    { name: "empty node", args: [write("empty.cjs", "")] },
    { name: "lint platform.ridl", args: [lint, "lint", platform] },
    { name: "lint platform.yaml", args: [lint, "lint", write("platform.yaml", platformYaml())] },
    { name: "lint platform.ridl, all rules", args: [lint, "lint", "--preset", "strict", platform] },
    { name: "lint 4,000 types, 2,000 methods", args: [lint, "lint", "--preset", "off", large] },
    ...growth.map((types) => ({
      name: growthName(types),
      args: [
        lint,
        "lint",
        // The strict style rules of this project do not apply to these schemas.
        "--preset",
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
  return bounds.flatMap(({ candidate, measure: measured, limit, unit }) => {
    const value = figures(samples, candidate, measured).over;
    const sentence = `${candidate} takes ${value.toFixed(1)} ${unit}, limit ${limit}`;
    console.log(sentence);
    return value > limit ? [sentence] : [];
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
    if (before === undefined || micros <= before.micros * maxGrowth) return [];
    return [
      `${types} types take ${micros.toFixed(1)} µs each, ${before.types} took ${before.micros.toFixed(1)} µs`,
    ];
  });
}
