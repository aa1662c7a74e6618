/** The rows of `test/wire/extremes.json` as bodies. Knows no file system, so that a browser runs it too. */

export type Int64Form = "number" | "bigint";

export interface ExtremesFile {
  /** JSON text by field. */
  readonly base: Readonly<Record<string, string>>;
  readonly rows: readonly ExtremeRow[];
}

interface ExtremeRow {
  readonly about: string;
  readonly field: string;
  readonly json?: string;
  readonly repeat?: string;
  readonly times?: number;
  readonly quoted?: boolean;
  readonly echo?: string | null;
  readonly number?: string | null;
  readonly bigint?: string | null;
}

export interface Extreme {
  /** `large-2-53-1`, unique. */
  readonly name: string;
  readonly about: string;
  /** A whole body. */
  readonly sent: string;
  /** What comes back; undefined if it is refused. */
  readonly answer: string | undefined;
}

export function extremes({ base, rows }: ExtremesFile, form: Int64Form): readonly Extreme[] {
  return rows.map((row) => {
    const json = jsonOf(row);
    const echo = row[form] !== undefined ? row[form] : row.echo !== undefined ? row.echo : json;
    return {
      name: `${row.field}: ${row.about}`.replace(/[^A-Za-z0-9]+/g, "-").replace(/-$/, ""),
      about: `${row.field}: ${row.about}`,
      sent: bodyOf(base, row.field, json),
      answer: echo === null ? undefined : bodyOf(base, row.field, echo),
    };
  });
}

function jsonOf({ json, repeat = "", times = 0, quoted = false }: ExtremeRow): string {
  if (json !== undefined) return json;
  const text = repeat.repeat(times);
  return quoted ? `"${text}"` : text;
}

/** No text: the field is absent. */
function bodyOf(base: ExtremesFile["base"], field: string, json: string): string {
  const fields = Object.entries({ ...base, [field]: json }).filter(([, text]) => text !== "");
  return `{${fields.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
}
