import type { Session } from "../../base/storage/session.ts";
import { withoutNulls } from "../records/without-nulls.ts";
import type { ExportOptions, RecordKind } from "./kind.ts";

/** All records of a kind as lines of NDJSON, many in one piece of text; all of one moment, whatever is written meanwhile. */
export async function* exportRecords(
  session: Session,
  kind: RecordKind,
  options: ExportOptions,
): AsyncIterable<{ readonly text: string; readonly records: number }> {
  await session.query("begin isolation level repeatable read read only");
  await session.query(`declare records no scroll cursor for ${kind.exportAll(options)}`);
  for (;;) {
    const rows = await session.query<object>(`fetch ${kind.fetchCount} from records`);
    if (rows.length === 0) break;
    yield { text: rows.map(lineOf).join(""), records: rows.length };
  }
  await session.query("commit");
}

/** What is not known is left out; nulls within free values stay. */
function lineOf(row: object): string {
  return `${JSON.stringify(withoutNulls(row))}\n`;
}
