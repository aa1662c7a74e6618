/**
 * Rows that the database prints as JSON lists of their values: `[1,null,"active"]`. Its own functions for JSON look up for each value of
 * each row how that is printed, escape every text, and repeat every name; they take twice the time.
 */
export interface JsonRow<Row> {
  /** SQL whose text is JSON: integers, JSON, and what `orNull` makes of values that may be null. */
  readonly literals: readonly string[];
  /** SQL of texts, and of names of kinds, in which nothing is to be escaped. None is ever null. */
  readonly words: readonly string[];
  /** Takes the values in this order. Written out, since a row that is put together name by name takes several times as long. */
  readonly read: (values: readonly unknown[]) => Row;
}

/** Prints a row, as a text. */
export function jsonOf({ literals, words }: JsonRow<unknown>): string {
  const texts = words.length === 0 ? "" : `',"', concat_ws('","', ${words.join(", ")}), '"', `;
  return `concat('[', concat_ws(',', ${literals.join(", ")}), ${texts}']')`;
}

/** Prints all rows of a group as a list, as a text; null if there is none. */
export function jsonListOf(row: JsonRow<unknown>, orderBy = ""): string {
  return `'[' || string_agg(${jsonOf(row)}, ',' ${orderBy}) || ']'`;
}

export function readRow<Row>({ read }: JsonRow<Row>, text: string): Row {
  return read(JSON.parse(text));
}

export function readRows<Row>({ read }: JsonRow<Row>, text: string | null | undefined): readonly Row[] {
  return text == null ? [] : (JSON.parse(text) as readonly (readonly unknown[])[]).map(read);
}

/** A value that may be null, as a literal. */
export function orNull(sql: string): string {
  return `coalesce((${sql})::text, 'null')`;
}

/** A time in UTC, without a zone, as a literal. */
export function utcTime(sql: string): string {
  return `to_json(${sql} at time zone 'UTC')`;
}
