/**
 * Standard output and error may lie on a disk that is full, or lead to a reader that has gone. What was to be said is lost then,
 * which is told where that is possible; the work goes on. A command that cannot say its answer has this exit code.
 */
export function handleBrokenOutput({ exitCode }: { readonly exitCode: number }): void {
  process.stdout.on("error", ({ code = "", message }: NodeJS.ErrnoException) => {
    process.exitCode ||= exitCode;
    // A reader that wants no more, as `head`.
    if (code !== "EPIPE") process.stderr.write(`platform: standard output cannot be written: ${message}\n`);
  });
  process.stderr.on("error", () => {});
}
