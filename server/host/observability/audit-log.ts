import { inBackground, repeatUntil } from "../../base/repeat.ts";
import type { Queries } from "../../base/storage/database.ts";
import { utc } from "../../base/storage/sql.ts";

/** What an operator has changed or exported by a command. */
export interface LoggedRecord {
  readonly record: string;
  readonly at: string;
  readonly actor: string;
  readonly machine: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly ids: readonly string[];
  /** Null if the command was stopped, or runs for more than an hour. */
  readonly outcome: string | null;
}

/** Interval at which new records are logged, in milliseconds. */
const logMs = 10_000;

/** Logs each record once at most, on one of the replicas that call this, until it is closed. */
export function startLoggingRecords(queries: Queries, log: (record: LoggedRecord) => void): AsyncDisposable {
  return inBackground((signal) =>
    repeatUntil(signal, logMs, async () => {
      for (const record of await queries.query<LoggedRecord>(unloggedSql, [])) log(record);
    }),
  );
}

/** Another replica that waits for the row sees the mark, and skips it. */
const unloggedSql = {
  name: "log audit records",
  text: `
    with logged as (
      update audit_record set is_logged = true
      where not is_logged and (outcome is not null or at < now() - interval '1 hour')
      returning *
    )
    select id as record, ${utc("at")} as at, actor, machine, command, arguments as args, ids, outcome from logged order by id`,
};
