/** The database could not be asked: it is away, too slow, or out of room. What was asked may be asked again later. */
export class DatabaseFault extends Error {
  override readonly name: string = "DatabaseFault";
}

/** So many wait for a connection that one more would only wait as well. Nothing was asked. */
export class DatabaseBusy extends DatabaseFault {
  override readonly name = "DatabaseBusy";
}

/** What a caller asked for took longer than it may, and was given up. */
export class CallTooLong extends DatabaseFault {
  override readonly name = "CallTooLong";
}

/** SQLSTATE classes of a database that cannot work, as opposed to a statement that is wrong. PostgreSQL manual, appendix A. */
const unavailableClasses: ReadonlySet<string> = new Set(["08", "53", "57", "58"]);

/** A replica that only reads, and rows that others changed at the same moment. */
const unavailableStates: ReadonlySet<string> = new Set(["25006", "40001", "40P01"]);

/** Makes a DatabaseFault of what `pg` threw if the database is at fault; anything else is a bug of ours and stays as it is. */
export function toDatabaseFault(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const { code } = thrown as { readonly code?: unknown };
  const state = typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
  // Without a SQLSTATE the connection failed, by an error of Node or of pg itself.
  const isAway =
    state === undefined || unavailableClasses.has(state.slice(0, 2)) || unavailableStates.has(state);
  if (!isAway || thrown instanceof DatabaseFault || isBug(thrown)) return thrown;
  return new DatabaseFault(state === "53100" ? "the database's disk is full" : thrown.message, {
    cause: thrown,
  });
}

/** Whether the server has cancelled a statement, past its time-out. Its connection is as good as before. */
export function isCancelled(thrown: unknown): boolean {
  return causeOf(thrown)?.code === "57014";
}

/** Whether the server did not answer a statement in time. */
export function isUnanswered(thrown: unknown): boolean {
  return causeOf(thrown)?.message === "Query read timeout";
}

function causeOf(thrown: unknown): (Error & { readonly code?: unknown }) | undefined {
  return thrown instanceof DatabaseFault && thrown.cause instanceof Error ? thrown.cause : undefined;
}

/** Errors of JavaScript never come from a connection. */
function isBug(thrown: Error): boolean {
  return thrown instanceof TypeError || thrown instanceof RangeError || thrown instanceof ReferenceError;
}
