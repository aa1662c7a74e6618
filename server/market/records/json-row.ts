/**
 * Rows that the database prints as JSON lists of their values, `[1,null,"active"]`, read back by the names of their columns. Postgres'
 * own JSON functions take twice the time: for each value of each row they look up how to print it, escape it, and repeat its name.
 */
export interface JsonRow<Row> {
  /** SQL of the list, as a text. */
  readonly sql: string;
  readonly read: (values: readonly unknown[]) => Row;
}

/** How a value is selected. */
export interface Column<Value> {
  readonly sql: string;
  /** Whether the SQL gives a text to be put in quotes, and not JSON. */
  readonly isWord: boolean;
  /** What the JSON means; itself by default. */
  readonly read?: (json: unknown) => Value;
}

export type Columns<Row> = { readonly [Name in keyof Row]: Column<Row[Name]> };

/** A value whose text in SQL is JSON: an integer, or JSON itself. Never null. */
export function json<Value>(sql: string): Column<Value> {
  return { sql, isWord: false };
}

export function jsonOrNull<Value>(sql: string): Column<Value | null> {
  return { sql: `coalesce((${sql})::text, 'null')`, isWord: false };
}

/** A text without quotes, backslashes and control characters, such as a number or the name of a kind. Never null. */
export function word(sql: string): Column<string> {
  return { sql, isWord: true };
}

/** A row within a row. */
export function nested<Row>({ sql, read }: JsonRow<Row>): Column<Row> {
  return { sql, isWord: false, read: (values) => read(values as readonly unknown[]) };
}

export function jsonRow<Row extends object>(columns: Columns<Row>): JsonRow<Row> {
  const all = Object.entries<Column<unknown>>(columns);
  // Words stand last, so that their quotes are printed once for all of them.
  const inOrder = [...all.filter(([, { isWord }]) => !isWord), ...all.filter(([, { isWord }]) => isWord)];
  return {
    sql: listSql(inOrder.map(([, column]) => column)),
    read: (values) => {
      const row: Record<string, unknown> = {};
      let index = 0;
      for (const [name, { read }] of inOrder) {
        const value = values[index++];
        row[name] = read === undefined ? value : read(value);
      }
      return row as Row;
    },
  };
}

function listSql(columns: readonly Column<unknown>[]): string {
  const sqlOf = (areWords: boolean): string =>
    columns
      .filter(({ isWord }) => isWord === areWords)
      .map(({ sql }) => sql)
      .join(", ");
  const words = sqlOf(true);
  const texts = words === "" ? "" : `',"', concat_ws('","', ${words}), '"', `;
  return `concat('[', concat_ws(',', ${sqlOf(false)}), ${texts}']')`;
}

/** Prints all rows of a group as a list, as a text; null if there is none. */
export function jsonListOf({ sql }: JsonRow<unknown>, orderBy = ""): string {
  return `'[' || string_agg(${sql}, ',' ${orderBy}) || ']'`;
}

export function readRow<Row>({ read }: JsonRow<Row>, text: string): Row {
  return read(JSON.parse(text));
}

export function readRows<Row>({ read }: JsonRow<Row>, text: string | null | undefined): readonly Row[] {
  return text == null ? [] : (JSON.parse(text) as readonly (readonly unknown[])[]).map(read);
}

/** A time in UTC, without a zone, as JSON. */
export function utcTime(sql: string): string {
  return `to_json(${sql} at time zone 'UTC')`;
}
