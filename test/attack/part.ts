export interface AttackOptions {
  readonly seed: number;
  /** Random bodies a method. */
  readonly count: number;
}

/** A part attacks, prints, and answers which of its bounds are broken. */
export type Part = (options: AttackOptions) => Promise<readonly string[]>;
