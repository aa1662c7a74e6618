import type { Random } from "../../support/random.ts";

/** A schema of the corpus: valid, and without a warning. */
export interface Schema {
  readonly name: string;
  readonly entry: string;
  /** Path → text. */
  readonly files: Readonly<Record<string, string>>;
}

/** A place in one file, as offsets into its text after the edit. */
export interface Place {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** A word that was misspelt: what stood there, what stands there now, and all words that could. */
export interface Meant {
  readonly word: string;
  readonly found: string;
  readonly among: readonly string[];
}

/** A schema that one edit has broken, and what is known of the edit without asking ridlkit. */
export interface Mutant {
  readonly mutation: string;
  readonly schema: Schema;
  readonly files: Readonly<Record<string, string>>;
  /** Where the edit was made; empty where something was taken away. */
  readonly at: Place;
  /** Other places that speak of the same fault: uses of a name whose declaration is gone, the other ends of a circle. */
  readonly also: readonly Place[];
  readonly meant: Meant | undefined;
}

/** One kind of edit; undefined if the schema has no place for it. */
export interface Mutation {
  readonly name: string;
  readonly apply: (schema: Schema, random: Random) => Mutant | undefined;
}
