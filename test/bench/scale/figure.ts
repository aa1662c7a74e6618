/** A measured figure and its limit. */
export interface Figure {
  readonly description: string;
  readonly value: number;
  readonly limit: number;
}
