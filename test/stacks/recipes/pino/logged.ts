import type { Logger } from "pino";
import type { ServerOptions } from "ridlkit-runtime/options";

type Logged = Required<Pick<ServerOptions<{ readonly log: Logger }>, "context" | "onResponse">>;

/** A line for each call, with the id that all lines of its handler have: `ctx.context.log.info("…")`. */
export function logged(log: Logger): Logged {
  return {
    context: ({ requestId }) => ({ log: log.child({ requestId }) }),
    onResponse: ({ requestId, method, path, status, error, cause, durationMs }) => {
      const call = { requestId, method: method?.name ?? path, status, error: error?.name, durationMs };
      // A stream or a file that fails has already sent the status 200.
      if ((error?.status ?? status) < 500) log.info(call);
      else log.error({ ...call, err: cause });
    },
  };
}
