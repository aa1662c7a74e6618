/** One figure of a part, and its bound. */
export interface Figure {
  readonly says: string;
  readonly value: number;
  readonly most: number;
}
