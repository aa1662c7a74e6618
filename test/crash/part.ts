import type { Random } from "../support/random.ts";

export interface CrashOptions {
  readonly rounds: number | undefined;
  readonly random: Random;
}

/** Runs kills, prints figures, and returns whether nothing was lost. */
export type Part = (options: CrashOptions) => Promise<boolean>;
