#!/usr/bin/env node
import { commands } from "./commands/index.ts";
import { exitCode } from "./exit-code.ts";
import { internalErrorText, outputErrorText } from "./internal-error.ts";
import type { ProcessContext } from "./process-context.ts";
import { run } from "./run.ts";

/** Set when the program is bundled. */
declare const RIDLKIT_VERSION: string;

/** Whether its work is done, or has been said to be broken, or may end at any moment. */
let isTold = false;

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
    isTold = true;
  },
};

/** Questions go to standard error, so that standard output can be piped. */
async function ask(question: string): Promise<string | undefined> {
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.once("SIGINT", () => {
      lines.close();
      isTold = true;
      process.kill(process.pid, "SIGINT");
    });
    lines.once("close", () => resolve(undefined));
    lines.question(question, (text) => {
      resolve(text);
      lines.close();
    });
  });
}

/** A directory that was removed under us has no path any more; the shell still knows which it was. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env["PWD"] ?? "/";
  }
}

function fail(err: unknown): void {
  isTold = true;
  process.exitCode = exitCode.internalError;
  host.terminal.err(internalErrorText(err, host));
}

// Whoever closes the pipe has read enough; a full disk must not pass for success.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (err: NodeJS.ErrnoException) => {
    if (err.code === "EPIPE") return;
    process.exitCode = exitCode.usage;
    if (stream === process.stdout) host.terminal.err(outputErrorText(err));
  });
}
process.on("uncaughtException", fail);

process.once("exit", () => {
  if (isTold) return;
  process.exitCode = exitCode.internalError;
  host.terminal.err(
    "ridlkit: ended before its work was: a module of yours ends the process, or awaits what never comes.\n",
  );
});

// The exit code is only set, never forced: the process ends once everything is written.
try {
  const code = await run(process.argv.slice(2), host, commands);
  process.exitCode ??= code;
} catch (err) {
  fail(err);
}
isTold = true;
