import { hideUrlSecrets } from "../url-secrets.ts";

/** The database is unavailable, too slow, or out of space. The query may be retried later. */
export class DatabaseFault extends Error {
  override readonly name: string = "DatabaseFault";
  /** Name or beginning of the failed statement; undefined if there is none. */
  readonly statement: string | undefined;

  constructor(message: string, options?: DatabaseFaultOptions) {
    super(message, options);
    this.statement = options?.statement;
  }
}

export interface DatabaseFaultOptions extends ErrorOptions {
  readonly statement?: string | undefined;
}

/** Too many calls wait for a connection. Nothing was sent to the database. */
export class DatabaseBusy extends DatabaseFault {
  override readonly name = "DatabaseBusy";
}

/** The database did not confirm a commit. The changes may have been made. */
export class OutcomeUnknown extends DatabaseFault {
  override readonly name = "OutcomeUnknown";
}

/** The caller's query exceeded a timeout and was cancelled. */
export class CallTooLong extends DatabaseFault {
  override readonly name = "CallTooLong";
}

/** SQLSTATE classes of an unavailable database, as opposed to an invalid statement. PostgreSQL manual, appendix A. */
const unavailableClasses: ReadonlySet<string> = new Set(["08", "53", "57", "58"]);

/** A read-only replica, conflicts of concurrent transactions, and a lock that another transaction holds for too long. */
const unavailableStates: ReadonlySet<string> = new Set(["25006", "40001", "40P01", "55P03"]);

/** The statements of errors that are bugs: these errors stay those of the driver. */
const statements = new WeakMap<Error, string>();

/** Returns the name or the beginning of the statement with which the database failed; undefined if unknown. */
export function statementOf(error: Error): string | undefined {
  return error instanceof DatabaseFault ? error.statement : statements.get(error);
}

/**
 * Converts an error of `pg` to a DatabaseFault if the database is the cause. Returns any other error, which is a bug, unchanged.
 * `statement` may be logged; `statementOf` returns it.
 */
export function toDatabaseFault(thrown: unknown, statement?: string): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const state = sqlStateOf(thrown);
  // An error of Node or pg without a SQLSTATE: the connection failed.
  const isUnavailable =
    state === undefined || unavailableClasses.has(state.slice(0, 2)) || unavailableStates.has(state);
  if (!isUnavailable || thrown instanceof DatabaseFault || isBug(thrown)) {
    if (statement !== undefined) statements.set(thrown, statement);
    return thrown;
  }
  return new DatabaseFault(state === "53100" ? "the database's disk is full" : thrown.message, {
    cause: thrown,
    statement,
  });
}

/** The classes of SQLSTATE that PostgreSQL defines. Codes of Node, such as EPIPE, can be as long. */
const sqlState = /^(?:\d[\dA-Z]|F0|HV|P0|XX)[\dA-Z]{3}$/;

/** Returns the SQLSTATE that the server reported; undefined for any other error. */
export function sqlStateOf(thrown: unknown): string | undefined {
  const error = causeOf(thrown) ?? thrown;
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" && sqlState.test(code) ? code : undefined;
}

/** Longest beginning of a statement without a name, in characters. */
const beginningMax = 60;

/** What the log shows of a statement. Its values are parameters, so the text has none. */
export function describeStatement({
  name,
  text,
}: {
  readonly name?: string | undefined;
  readonly text: string;
}): string {
  if (name !== undefined) return name;
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > beginningMax ? `${line.slice(0, beginningMax)}…` : line;
}

/** Whether the server cancelled a statement after its timeout. The connection stays usable. */
export function isCancelled(thrown: unknown): boolean {
  return causeOf(thrown)?.code === "57014";
}

/** Whether the server cancelled a statement that waited too long for a lock. The connection stays usable. */
export function isLockTimeout(thrown: unknown): boolean {
  return causeOf(thrown)?.code === "55P03";
}

/** Whether the client gave up waiting for the response to a statement. */
export function isReadTimeout(thrown: unknown): boolean {
  return causeOf(thrown)?.message === "Query read timeout";
}

function causeOf(thrown: unknown): (Error & { readonly code?: unknown }) | undefined {
  return thrown instanceof DatabaseFault && thrown.cause instanceof Error ? thrown.cause : undefined;
}

/** Errors of JavaScript never come from a connection. */
function isBug(thrown: Error): boolean {
  return thrown instanceof TypeError || thrown instanceof RangeError || thrown instanceof ReferenceError;
}

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
