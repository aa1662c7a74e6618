import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";
import type { LogLevel } from "../../base/config/log-level.ts";
import { LogFile } from "./log-file.ts";
import { type RedactOptions, Redactor } from "./redact.ts";

/** Log lines as JSON: `log.warn({ chainId: 137 }, "the node does not respond")`. Fields are redacted. */
export type Log = Pick<Logger, "debug" | "info" | "warn" | "error">;

export interface LogOptions extends RedactOptions {
  readonly level: LogLevel;
  /** Default: standard error. Standard output only contains what a host prints once it is ready: its URL, and a sandbox's keys. */
  readonly to?: DestinationStream;
}

export interface OpenLog extends Log, AsyncDisposable {
  lost(): number;
}

export function openLog({ level, to, ...redact }: LogOptions): OpenLog {
  const redactor = new Redactor(redact);
  const file = new LogFile(process.stderr, lossLine);
  const logger = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redactor.fields(fields),
      },
      // pino's own error serializer would print every property.
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
    to ?? file,
  );
  return Object.assign(logger, { lost: () => file.lost, [Symbol.asyncDispose]: () => file.close() });
}

/** The line that replaces lost lines. */
function lossLine(lines: number): string {
  const line = {
    level: "error",
    time: new Date(),
    lines,
    msg: "log lines were lost: the log could not be written",
  };
  return `${JSON.stringify(line)}\n`;
}
