/** A benchmark measures, prints its figures, and returns a sentence for each limit that it exceeds. */
export type Benchmark = (options: BenchmarkOptions) => Promise<readonly string[]>;

export interface BenchmarkOptions {
  readonly rounds: number;
  readonly seed: number;
  /** Options of `load-data`: the number of orders, and a folder in which to keep the database. */
  readonly orders: number;
  readonly keep: string | undefined;
}
