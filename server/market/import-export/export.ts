import type { Session } from "../../base/storage/session.ts";
import { withoutNulls } from "../records/without-nulls.ts";
import type { ExportOptions, RecordKind } from "./record-kind.ts";

/** Yields all records of a kind as NDJSON in large chunks, from one snapshot. */
export async function* exportRecords(
  session: Session,
  kind: RecordKind,
  options: ExportOptions,
): AsyncIterable<{ readonly text: string; readonly records: number }> {
  await session.query("begin isolation level repeatable read read only");
  await session.query(`declare records no scroll cursor for ${kind.exportSql(options)}`);
  for (;;) {
    const rows = await session.query<object>(`fetch ${kind.fetchCount} from records`);
    if (rows.length === 0) break;
    yield { text: rows.map(lineOf).join(""), records: rows.length };
  }
  await session.query("commit");
}

/** Omits null fields; nulls within free-form values stay. */
function lineOf(row: object): string {
  return `${JSON.stringify(withoutNulls(row))}\n`;
}
