import type { Sample } from "./measure.ts";

/** Figures in milliseconds or MiB; `over` is the difference between the medians of candidate and baseline. */
export interface Figures {
  readonly min: number;
  readonly median: number;
  readonly over: number;
  readonly ratio: number;
}

export type Measure = keyof Sample;

export function figuresOf(
  samples: readonly Sample[],
  baseline: readonly Sample[],
  measure: Measure,
): Figures {
  const values = samples.map((sample) => sample[measure]);
  const base = medianOf(baseline.map((sample) => sample[measure]));
  const median = medianOf(values);
  return { min: Math.min(...values), median, over: median - base, ratio: median / base };
}

/** Prints one row per candidate; the first is the baseline. */
export function printTable(samples: ReadonlyMap<string, readonly Sample[]>): void {
  const names = [...samples.keys()];
  const baseline = samples.get(names[0] ?? "") ?? [];
  const width = Math.max(...names.map((name) => name.length));
  const measures = { cpuMs: "CPU ms", wallMs: "wall ms", peakMib: "peak MiB" } as const satisfies Record<
    Measure,
    string
  >;
  const titles = Object.values(measures).map((title) => `${title} min  median    over  ratio`.padStart(34));
  console.log(`${"".padEnd(width)} ${titles.join(" |")}`);
  for (const name of names) {
    const cells = (Object.keys(measures) as Measure[]).map((measure) => {
      const { min, median, over, ratio } = figuresOf(samples.get(name) ?? [], baseline, measure);
      const numbers = [
        min.toFixed(1).padStart(12),
        median.toFixed(1).padStart(7),
        over.toFixed(1).padStart(7),
      ];
      return `${numbers.join(" ")} ${`×${ratio.toFixed(2)}`.padStart(6)}`.padStart(34);
    });
    console.log(`${name.padEnd(width)} ${cells.join(" |")}`);
  }
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
