import { visible } from "../../language/diagnostics/visible.ts";
import { environmentVariable, type ProcessContext } from "./process-context.ts";

/** What we say when we are at fault, with the trace only for those who ask for it. */
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
