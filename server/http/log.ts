import type { CallLog } from "../../generated/runtime/v1/hooks.ts";

/** Below this code are the faults of the server itself: WebrpcBadResponse, WebrpcServerPanic, WebrpcInternalError. */
const ourFaults: ReadonlySet<number> = new Set([-5, -6, -7]);

/** One line of JSON for each call that failed through our own fault, with all that its caller was not told. */
export function logFailures(write: (line: string) => void): (log: CallLog) => void {
  return ({ requestId, path, status, error, cause, durationMs }) => {
    if (error === undefined || !ourFaults.has(error.code)) return;
    const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    write(
      JSON.stringify({
        requestId,
        path,
        status,
        error: error.name,
        cause: text,
        durationMs: Math.round(durationMs),
      }),
    );
  };
}
