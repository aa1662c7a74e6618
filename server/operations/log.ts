import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from "pino";
import { type RedactOptions, Redactor } from "./redact.ts";

/** Lines of JSON for the operator: `log.warn({ chainId: 137 }, "the node does not answer")`. Fields are redacted. */
export type Log = Pick<Logger, "debug" | "info" | "warn" | "error">;

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogOptions extends RedactOptions {
  readonly level: LogLevel;
  /** Default: standard error, as standard output is for the ready line. */
  readonly to?: DestinationStream;
}

export interface OpenLog extends Log, AsyncDisposable {}

export function openLog({ level, to, ...redact }: LogOptions): OpenLog {
  const redactor = new Redactor(redact);
  // Written in the background: a reader of the log that is slow must not slow calls.
  const stream = to ?? destination({ dest: 2, sync: false });
  const logger = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redactor.fields(fields),
      },
      // pino's own serializer of errors would tell all that is on them.
      serializers: { err: (err: unknown) => err },
      hooks: {
        logMethod(args, method) {
          const [fields, text] = args as [unknown, string?];
          method.apply(this, [
            fields as object,
            ...(text === undefined ? [] : [redactor.text(text)]),
          ] as never);
        },
      },
    },
    stream,
  );
  return Object.assign(logger, {
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => logger.flush(() => resolve()));
    },
  });
}
