/**
 * Rows that the database returns as JSON arrays of values, `[1,null,"active"]`, read back by column name. Postgres' own JSON functions take
 * twice as long: for each value of each row they look up its type, escape it, and repeat its name.
 */
export interface JsonRow<Row> {
  readonly sql: string;
  readonly read: (values: readonly unknown[]) => Row;
}

export interface Column<Value> {
  readonly sql: string;
  /** Whether the SQL returns plain text that needs quotes, rather than JSON. */
  readonly isQuoted: boolean;
  /** Decodes the JSON value. Default: the value itself. */
  readonly read?: (json: unknown) => Value;
}

export type Columns<Row> = { readonly [Name in keyof Row]: Column<Row[Name]> };

/** A value that SQL prints as valid JSON: an integer, or JSON itself. Never null. */
export function json<Value>(sql: string): Column<Value> {
  return { sql, isQuoted: false };
}

export function jsonOrNull<Value>(sql: string): Column<Value | null> {
  return { sql: `coalesce((${sql})::text, 'null')`, isQuoted: false };
}

/** Text without quotes, backslashes and control characters, such as a number or an enum value. Never null. */
export function plainText(sql: string): Column<string> {
  return { sql, isQuoted: true };
}

export function nested<Row>({ sql, read }: JsonRow<Row>): Column<Row> {
  return { sql, isQuoted: false, read: (values) => read(values as readonly unknown[]) };
}

export function jsonRow<Row extends object>(columns: Columns<Row>): JsonRow<Row> {
  const all = Object.entries<Column<unknown>>(columns);
  // Plain texts come last, so that one `concat_ws` adds the quotes of all of them.
  const inOrder = [
    ...all.filter(([, { isQuoted }]) => !isQuoted),
    ...all.filter(([, { isQuoted }]) => isQuoted),
  ];
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
  const sqlOf = (areQuoted: boolean): string =>
    columns
      .filter(({ isQuoted }) => isQuoted === areQuoted)
      .map(({ sql }) => sql)
      .join(", ");
  const plainTexts = sqlOf(true);
  const quoted = plainTexts === "" ? "" : `',"', concat_ws('","', ${plainTexts}), '"', `;
  return `concat('[', concat_ws(',', ${sqlOf(false)}), ${quoted}']')`;
}

/** SQL that aggregates the rows of a group into one JSON array, as text. Null if the group is empty. */
export function jsonListOf({ sql }: JsonRow<unknown>, orderBy = ""): string {
  return `'[' || string_agg(${sql}, ',' ${orderBy}) || ']'`;
}

export function readRow<Row>({ read }: JsonRow<Row>, text: string): Row {
  return read(JSON.parse(text));
}

export function readRows<Row>({ read }: JsonRow<Row>, text: string | null | undefined): readonly Row[] {
  return text == null ? [] : (JSON.parse(text) as readonly (readonly unknown[])[]).map(read);
}

/** A timestamp in UTC, without a time zone, as JSON. */
export function utcTime(sql: string): string {
  return `to_json(${sql} at time zone 'UTC')`;
}

export type WithoutNulls<Row> = { [Key in keyof Row as null extends Row[Key] ? never : Key]: Row[Key] } & {
  [Key in keyof Row as null extends Row[Key] ? Key : never]?: NonNullable<Row[Key]>;
};

/** Omits null values, as responses do. */
export function withoutNulls<Row extends object>(row: Row): WithoutNulls<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as WithoutNulls<Row>;
}
