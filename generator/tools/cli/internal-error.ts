import { visible } from "../../language/diagnostics/visible.ts";
import { environmentVariable, type ProcessContext } from "./process-context.ts";

/** Describes a bug in ridlkit. RIDLKIT_DEBUG=1 adds the stack trace. */
export function internalErrorText(err: unknown, host: ProcessContext): string {
  const message = err instanceof Error ? err.message : String(err);
  const lines = [
    `ridlkit broke: ${visible(message)}; this is our fault.`,
    `Please report it with the command, the schema and what RIDLKIT_DEBUG=1 shows (ridlkit ${host.version}).`,
  ];
  if (environmentVariable(host, "RIDLKIT_DEBUG") === "1" && err instanceof Error) lines.push(err.stack ?? "");
  return `${lines.join("\n")}\n`;
}

export function outputErrorText(err: Error): string {
  return `ridlkit: Cannot write to standard output: ${visible(err.message)}.\n`;
}
