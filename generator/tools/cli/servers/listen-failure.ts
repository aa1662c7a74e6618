import { systemReason } from "../../../language/diagnostics/system-reason.ts";

/** Explains why a server cannot listen on a port. Undefined for other errors. */
export function listenFailure(err: unknown, port: number): string | undefined {
  const { code } = err as NodeJS.ErrnoException;
  if (code === undefined) return undefined;
  const what = code === "EADDRINUSE" ? "another program uses it" : systemReason(err);
  return `Cannot listen on port ${port}: ${what}. Choose another with --port.`;
}
