/** A part measures, prints, and answers which of its stated bounds are broken, each as one sentence. */
export type Part = (options: PartOptions) => Promise<readonly string[]>;

export interface PartOptions {
  readonly rounds: number;
  readonly seed: number;
}
