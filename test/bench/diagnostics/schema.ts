import type { Random } from "../../support/random.ts";

/** A schema of the corpus, valid and without warnings. */
export interface Schema {
  readonly name: string;
  readonly entry: string;
  /** Path → text. */
  readonly files: Readonly<Record<string, string>>;
}

/** A span in one file, as offsets into its text after the edit. */
export interface EditSpan {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** A misspelt word: original, misspelling, and all candidates. */
export interface Misspelling {
  readonly word: string;
  readonly found: string;
  readonly among: readonly string[];
}

/** A schema broken by one edit, and the facts about the edit that do not come from ridlkit. */
export interface Mutant {
  readonly mutation: string;
  readonly schema: Schema;
  readonly files: Readonly<Record<string, string>>;
  /** Span of the edit; empty for a deletion. */
  readonly at: EditSpan;
  /** Other spans at which a report counts: uses of a deleted declaration, the other ends of a circle. */
  readonly also: readonly EditSpan[];
  readonly meant: Misspelling | undefined;
}

/** A kind of edit. Returns undefined if the schema has no suitable element. */
export interface Mutation {
  readonly name: string;
  readonly apply: (schema: Schema, random: Random) => Mutant | undefined;
}
