/** A part measures, prints, and answers which of its stated bounds are broken, each as one sentence. */
export type Part = (options: PartOptions) => Promise<readonly string[]>;

export interface PartOptions {
  readonly rounds: number;
  readonly seed: number;
  /** Of `load-data`: how many, and the folder where the database stays. */
  readonly orders: number;
  readonly keep: string | undefined;
}
