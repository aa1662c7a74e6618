#!/usr/bin/env node
import { commands } from "./commands/index.ts";
import { exitCode } from "./exit-code.ts";
import { internalErrorText, outputErrorText } from "./internal-error.ts";
import type { ProcessContext } from "./process-context.ts";
import { run } from "./run.ts";

/** Defined by the bundler. */
declare const RIDLKIT_VERSION: string;

/** Whether exiting is expected: the run is complete, has reported its error, or may end at any time. */
let isExitExpected = false;

const host: ProcessContext = {
  cwd: workingDirectory(),
  env: process.env,
  version: typeof RIDLKIT_VERSION === "string" ? RIDLKIT_VERSION : "dev",
  terminal: {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    errIsTerminal: process.stderr.isTTY === true,
    ...(process.stdin.isTTY && process.stderr.isTTY && { ask }),
  },
  allowEarlyExit: () => {
    isExitExpected = true;
  },
};

/** Writes questions to standard error, so that standard output can be piped. */
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

/** `process.cwd()` throws if the directory was removed; the shell's PWD still has the path. */
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
  host.terminal.err(internalErrorText(err, host));
}

// A closed pipe is no error, because its reader has read enough. A full disk must not exit with success.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (err: NodeJS.ErrnoException) => {
    if (err.code === "EPIPE") return;
    process.exitCode = exitCode.usage;
    if (stream === process.stdout) host.terminal.err(outputErrorText(err));
  });
}
process.on("uncaughtException", fail);

process.once("exit", () => {
  if (isExitExpected) return;
  process.exitCode = exitCode.internalError;
  host.terminal.err(
    "ridlkit: ended before its work was: a module of yours ends the process, or awaits what never comes.\n",
  );
});

// Setting the exit code, instead of calling process.exit, lets the process write all output before it ends.
try {
  const code = await run(process.argv.slice(2), host, commands);
  process.exitCode ??= code;
} catch (err) {
  fail(err);
}
isExitExpected = true;
