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

/** Conflicts of concurrent transactions, and a lock that another transaction holds for too long. */
const unavailableStates: ReadonlySet<string> = new Set(["40001", "40P01", "55P03"]);

/** What keeps a database that responds from its work. */
export interface DatabaseProblem {
  /** Without values of the database, so that everyone may read it. */
  readonly text: string;
  /** What an operator can do. */
  readonly advice: string;
}

const loginRejected: DatabaseProblem = {
  text: "the database rejects the login",
  advice: "check the role and the password of DATABASE_URL",
};

/** The SQLSTATE of a server, database or role with as many connections as it may have. */
export const tooManyConnections = "53300";

/** By SQLSTATE. */
const problems: ReadonlyMap<string, DatabaseProblem> = new Map([
  [
    "25006",
    {
      text: "the database is read-only",
      advice: "end its read-only mode, or connect to the primary server instead of a read-only replica",
    },
  ],
  ["28000", loginRejected],
  ["28P01", loginRejected],
  ["3D000", { text: "the database does not exist", advice: "create it, or correct DATABASE_URL" }],
  [
    "42501",
    {
      text: "the database denies a permission",
      advice: "grant the permission to the role of DATABASE_URL, or connect as the owner of the tables",
    },
  ],
  ["53100", { text: "the database's disk is full", advice: "free or add disk space" }],
  [
    "53200",
    { text: "the database is out of memory", advice: "add memory, or lower its settings for memory" },
  ],
  [
    tooManyConnections,
    {
      text: "the database has no free connection",
      advice: "raise max_connections or the limit of the role, or lower databaseConnections",
    },
  ],
  ["58030", { text: "the database cannot access its files", advice: "check its disk" }],
]);

/** Such as a database whose connections are forbidden, or a setting of the session that does not exist. */
const connectionRefused: DatabaseProblem = {
  text: "the database refuses or ends connections",
  advice: "see the reason",
};

export function databaseProblemOf(err: unknown): DatabaseProblem | undefined {
  return problems.get(sqlStateOf(err) ?? "") ?? (isRefusal(err) ? connectionRefused : undefined);
}

/** Whether the server has refused or ended the session, except for an outage. */
function isRefusal(err: unknown): boolean {
  return isFatal(err) && !isOutage(sqlStateOf(err) ?? "");
}

function isFatal(err: unknown): boolean {
  return ((causeOf(err) ?? err) as { readonly severity?: unknown } | undefined)?.severity === "FATAL";
}

/** Returns the message of an error if it cannot quote the values of rows: of an ended session, or of a missing permission. */
export function reasonOf(error: Error): string | undefined {
  return isFatal(error) || sqlStateOf(error) === "42501" ? error.message : undefined;
}

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
    state === undefined ||
    unavailableClasses.has(state.slice(0, 2)) ||
    unavailableStates.has(state) ||
    databaseProblemOf(thrown) !== undefined;
  if (!isUnavailable || thrown instanceof DatabaseFault || isBug(thrown)) {
    if (statement !== undefined) statements.set(thrown, statement);
    return thrown;
  }
  return new DatabaseFault(thrown.message, { cause: thrown, statement });
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

/** Whether the connection failed, or the server stops or starts. A busy database is not down. */
export function isConnectionFailure(thrown: unknown): boolean {
  if (!(thrown instanceof DatabaseFault) || thrown instanceof DatabaseBusy) return false;
  const state = sqlStateOf(thrown);
  // Without a SQLSTATE, nothing responded.
  return state === undefined || isOutage(state);
}

/** PostgreSQL manual, appendix A. */
function isOutage(state: string): boolean {
  return state.startsWith("08") || state.startsWith("57P");
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

/** Describes a fault for everyone: without the message of the server, which may quote values. */
export function databaseFaultText(fault: DatabaseFault): string {
  if (isConnectionFailure(fault)) return "the database does not respond";
  return databaseProblemOf(fault)?.text ?? `the database reports the error ${sqlStateOf(fault)}`;
}

/**
 * Describes an error of the database for operators in one line, without secrets of URLs: what it reports, and what to do. Returns
 * undefined for other errors.
 */
export function databaseErrorText(err: unknown): string | undefined {
  const state = sqlStateOf(err);
  if (!(err instanceof Error) || (state === undefined && !(err instanceof DatabaseFault))) return undefined;
  const message = hideUrlSecrets(err.message.replace(/[\s\p{Cc}]+/gu, " ").trim());
  if (state === undefined) return `the database does not respond: ${message}`;
  const problem = databaseProblemOf(err);
  if (problem === undefined) return `the database reports an error: ${message} (${state})`;
  return `${problem.text}: ${message} (${state}); ${problem.advice}`;
}
