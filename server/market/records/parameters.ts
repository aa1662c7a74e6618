/** Collects the parameters of a statement that is assembled from fragments. */
export class Parameters {
  readonly values: unknown[] = [];

  /** `bind(137, "bigint")` → `$1::bigint` */
  bind(value: unknown, type: string): string {
    return `$${this.values.push(value)}::${type}`;
  }
}
