export interface AttackOptions {
  readonly seed: number;
  /** Random bodies per method. */
  readonly count: number;
}

/** Runs an attack, prints figures, and returns the violated limits. */
export type Part = (options: AttackOptions) => Promise<readonly string[]>;
