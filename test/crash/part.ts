import type { Random } from "../support/random.ts";

export interface CrashOptions {
  readonly rounds: number | undefined;
  readonly random: Random;
}

/** A part kills, prints, and answers whether nothing was lost. */
export type Part = (options: CrashOptions) => Promise<boolean>;
