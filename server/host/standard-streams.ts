/**
 * Standard output or standard error may point to a full disk or to a reader that has closed. The output is lost then, and the
 * work goes on. Reports the loss on standard error where possible. A command whose output is lost exits with `exitCode`.
 */
export function handleBrokenOutput({ exitCode }: { readonly exitCode: number }): void {
  process.stdout.on("error", ({ code = "", message }: NodeJS.ErrnoException) => {
    process.exitCode ||= exitCode;
    // The reader closed the pipe, as `head` does.
    if (code !== "EPIPE") process.stderr.write(`platform: cannot write to standard output: ${message}\n`);
  });
  process.stderr.on("error", () => {});
}

/** Moves to the first column and clears the line, which may show progress (ECMA-48: CR, EL). */
export const clearLine = "\r\u001b[K";
