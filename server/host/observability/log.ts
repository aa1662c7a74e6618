import { write } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";
import { visibleJson } from "../../../generator/language/diagnostics/visible.ts";
import type { LogLevel } from "../../base/config/config.ts";
import { clearLine } from "../standard-streams.ts";
import { type RedactOptions, Redactor } from "./redact.ts";

/** Log lines as JSON: `log.warn({ chainId: 137 }, "the node does not respond")`. Fields are redacted. */
export type Log = Pick<Logger, "debug" | "info" | "warn" | "error">;

interface LogOptions extends RedactOptions {
  readonly level: LogLevel;
  /** Default: standard error. Standard output only contains what a host prints once it is ready: its URL, and a sandbox's keys. */
  readonly to?: DestinationStream;
}

interface OpenLog extends Log, AsyncDisposable {
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
  return lineOf("error", { lines }, "log lines were lost: the log could not be written");
}

/** A line about an error that ends the host. It is written directly, because the log may not be open. */
export function fatalLine(fields: object, msg: string): string {
  return visibleJson(lineOf("fatal", fields, msg));
}

function lineOf(level: string, fields: object, msg: string): string {
  return `${JSON.stringify({ level, time: new Date(), ...fields, msg })}\n`;
}

/** Most characters that may wait to be written. Bounds the memory that a stuck reader of the log can cost. */
const waitingMax = 1_000_000;

/** Wait before a write is retried after EAGAIN, in milliseconds. */
const retryMs = 50;

/**
 * After a write, lines are batched for this long before the next write, in milliseconds. Each write runs on another thread. One
 * write per line would cost a busy host nearly a tenth of the CPU of an indexed read (`npm run bench -- reads`).
 */
const batchMs = 25;

/** Longest wait for unwritten lines once the host stops, in milliseconds. */
const closeMaxMs = 1_000;

interface LogStream {
  readonly fd: number;
  readonly isTTY?: boolean;
}

/**
 * Writes log lines in the background. Nothing waits for it: if the disk is full or the reader is stuck, lines are dropped and
 * counted. The loss is reported as soon as the file accepts lines again.
 */
export class LogFile {
  readonly #fd: number;
  /** On a terminal, the cursor may be at the end of a progress line. */
  readonly #start: string;
  readonly #lossLine: (lines: number) => string;
  #lines: string[] = [];
  #waiting = 0;
  #lost = 0;
  #unreported = 0;
  #writing: Promise<void> | undefined;
  #isClosed = false;

  constructor({ fd, isTTY = false }: LogStream, lossLine: (lines: number) => string) {
    this.#fd = fd;
    this.#start = isTTY ? clearLine : "";
    this.#lossLine = lossLine;
  }

  get lost(): number {
    return this.#lost;
  }

  /** Takes a line of JSON. */
  write(json: string): void {
    const line = visibleJson(json);
    if (this.#waiting + line.length > waitingMax) {
      this.#lose(1);
      return;
    }
    this.#lines.push(line);
    this.#waiting += line.length;
    this.#writing ??= this.#writeAll();
  }

  /** Waits at most `closeMaxMs` for the lines written so far. The rest is lost. */
  async close(): Promise<void> {
    await Promise.race([this.#writing, sleep(closeMaxMs, undefined, { ref: false })]);
    this.#isClosed = true;
  }

  async #writeAll(): Promise<void> {
    while (this.#lines.length > 0) {
      const lines = this.#lines;
      const unreported = this.#unreported;
      this.#lines = [];
      const text = lines.join("");
      this.#unreported = 0;
      // A full disk may have cut off the last line.
      const loss = unreported === 0 ? "" : `\n${this.#lossLine(unreported)}`;
      if (!(await this.#isWritten(`${this.#start}${loss}${text}`))) {
        this.#unreported += unreported;
        this.#lose(lines.length);
      }
      this.#waiting -= text.length;
      await sleep(batchMs);
    }
    this.#writing = undefined;
  }

  async #isWritten(text: string): Promise<boolean> {
    let rest = Buffer.from(text);
    while (rest.length > 0) {
      const written = await writeOnce(this.#fd, rest);
      if (written === "failed") return false;
      if (written === "later" && !this.#isClosed) await sleep(retryMs);
      else if (written === "later") return false;
      else rest = rest.subarray(written);
    }
    return true;
  }

  #lose(lines: number): void {
    this.#lost += lines;
    this.#unreported += lines;
  }
}

function writeOnce(fd: number, bytes: Buffer): Promise<number | "later" | "failed"> {
  return new Promise((done) => {
    write(fd, bytes, (err, written) => {
      if (err === null) done(written);
      else done(err.code === "EAGAIN" ? "later" : "failed");
    });
  });
}
