/** The values of a statement that is put together from parts, and their places in its text. */
export class Parameters {
  readonly values: unknown[] = [];

  /** `bind(137, "bigint")` → `$1::bigint` */
  bind(value: unknown, type: string): string {
    return `$${this.values.push(value)}::${type}`;
  }
}
