import { hideUrlSecrets } from "../url-secrets.ts";
import { DatabaseFault, sqlStateOf } from "./fault.ts";

/** What an operator can do, by SQLSTATE. */
const hints: ReadonlyMap<string, string> = new Map([
  ["25006", "connect to the primary server instead of a read-only replica"],
  ["42501", "grant the permission to the role of DATABASE_URL, or connect as the owner of the tables"],
]);

/**
 * Describes an error of the database in one line, without secrets of URLs: what it reports, and what to do. Returns undefined for
 * other errors.
 */
export function databaseErrorText(err: unknown): string | undefined {
  const state = sqlStateOf(err);
  if (!(err instanceof Error) || (state === undefined && !(err instanceof DatabaseFault))) return undefined;
  const message = hideUrlSecrets(err.message.replace(/[\s\p{Cc}]+/gu, " ").trim());
  if (state === undefined) return `the database does not respond: ${message}`;
  const hint = hints.get(state);
  return `the database reports an error: ${message} (${state})${hint === undefined ? "" : `; ${hint}`}`;
}
