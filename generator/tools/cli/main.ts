#!/usr/bin/env node
import { visible, visibleLines } from "../../language/diagnostics/visible.ts";
import { exitCode } from "./command-error.ts";
import { commands } from "./commands/index.ts";
import { environmentVariable, type ProcessContext } from "./process-context.ts";
import { run } from "./run.ts";

/** Defined by the bundler. */
declare const RIDLKIT_VERSION: string;

/** Whether the process may end silently: the command returned, an error was printed, or `allowEarlyExit` was called. */
let isExitExpected = false;

const context: ProcessContext = {
  cwd: workingDirectory(),
  env: process.env,
  version: typeof RIDLKIT_VERSION === "string" ? RIDLKIT_VERSION : "dev",
  terminal: {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    write: (chunk) => new Promise((resolve) => process.stdout.write(chunk, (err) => resolve(!err))),
    outIsTerminal: process.stdout.isTTY === true,
    errIsTerminal: process.stderr.isTTY === true,
    // Read each time, because users resize terminals. 0 if the terminal does not report its width.
    get columns() {
      return process.stderr.columns || process.stdout.columns || undefined;
    },
    ...(process.stdin.isTTY && process.stderr.isTTY && { ask }),
  },
  allowEarlyExit: () => {
    isExitExpected = true;
  },
};

/** Asks on standard error, so that standard output can be piped. */
async function ask(question: string): Promise<string | undefined> {
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.once("SIGINT", () => {
      lines.close();
      isExitExpected = true;
      process.kill(process.pid, "SIGINT");
    });
    lines.once("close", () => resolve(undefined));
    lines.question(question, (text) => {
      resolve(text);
      lines.close();
    });
  });
}

/** Falls back to PWD: `process.cwd()` throws if the working directory was removed. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env["PWD"] ?? "/";
  }
}

function fail(err: unknown): void {
  isExitExpected = true;
  process.exitCode = exitCode.internalError;
  context.terminal.err(internalErrorText(err, context));
}

// A closed pipe is no error: the reader has enough. A full disk must not look like success.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (err: NodeJS.ErrnoException) => {
    if (err.code === "EPIPE") return;
    process.exitCode = exitCode.usage;
    if (stream === process.stdout) context.terminal.err(outputErrorText(err));
  });
}
process.on("uncaughtException", fail);

process.once("exit", () => {
  if (isExitExpected) return;
  process.exitCode = exitCode.usage;
  context.terminal.err(
    "ridlkit: The process ended before the command finished. The configuration or another module of the project calls process.exit, or awaits a promise that never settles.\n",
  );
});

// Sets the exit code instead of calling process.exit, so that all output is written first.
try {
  const code = await run(process.argv.slice(2), context, commands);
  process.exitCode ??= code;
} catch (err) {
  fail(err);
}
isExitExpected = true;

/** The message for a bug in ridlkit. RIDLKIT_DEBUG=1 adds the stack. */
function internalErrorText(err: unknown, context: ProcessContext): string {
  const message = err instanceof Error ? err.message : String(err);
  const lines = [
    `ridlkit: internal error: ${visible(message)}`,
    `This is a bug in ridlkit ${context.version}. Please report it with the command, the schema and the output with RIDLKIT_DEBUG=1.`,
  ];
  if (environmentVariable(context, "RIDLKIT_DEBUG") === "1" && err instanceof Error)
    lines.push(visibleLines(err.stack ?? ""));
  return `${lines.join("\n")}\n`;
}

function outputErrorText(err: Error): string {
  return `ridlkit: Cannot write to standard output: ${visible(err.message)}.\n`;
}
