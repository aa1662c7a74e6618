/** Time-outs of a caller's queries, as errors for the caller. */
import { CallTooLong, DatabaseFault, isCancelled, isLockTimeout, isReadTimeout } from "./fault.ts";

/** Longest wait of a caller's change for a lock, in milliseconds. It holds a connection that other calls could use. */
export const lockMaxMs = 2_000;

/** Starts a transaction with this limit, in one round trip. */
export const beginWithLockLimit: string = `begin; set local lock_timeout = ${lockMaxMs}`;

/**
 * Converts time-outs to CallTooLong with this message. A server that has a statement time-out and still does not respond is
 * unavailable, though; behind a pooler, where statements are not named, only the client has a time-out.
 */
export async function withCallTooLong<Result>(
  pending: Promise<Result>,
  message: string,
  { namedStatements }: { readonly namedStatements: boolean },
): Promise<Result> {
  try {
    return await pending;
  } catch (err) {
    if (!(err instanceof DatabaseFault)) throw err;
    const { cause, statement } = err;
    if (isLockTimeout(err))
      throw new CallTooLong(
        `the change waited longer than ${lockMaxMs} ms for another one and was not made; try again`,
        { cause, statement },
      );
    if (!isCancelled(err) && (namedStatements || !isReadTimeout(err))) throw err;
    throw new CallTooLong(message, { cause, statement });
  }
}
