import type { Database } from "../../server/base/storage/database.ts";
import { findRunning } from "../../server/base/storage/embedded/embedded.ts";
import { openDatabase } from "../../server/base/storage/open-database.ts";
import type { Data } from "./host.ts";

/** The database of a running host, to put records where no command does, and to look at what is there. */
export function databaseOf(data: Data, statementTimeoutMs = 60_000): Database {
  const url = data.env["DATABASE_URL"];
  const address = url === undefined ? findRunning(data.folder) : { connectionString: url };
  if (address === undefined) throw new Error("no host runs on this data");
  return openDatabase({ ...address }, { connections: 2, statementTimeoutMs, namedStatements: true });
}
