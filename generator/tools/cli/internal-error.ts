import { visible, visibleLines } from "../../language/diagnostics/visible.ts";
import { environmentVariable, type ProcessContext } from "./process-context.ts";

/** The message for a bug in ridlkit. RIDLKIT_DEBUG=1 adds the stack. */
export function internalErrorText(err: unknown, host: ProcessContext): string {
  const message = err instanceof Error ? err.message : String(err);
  const lines = [
    `ridlkit: internal error: ${visible(message)}`,
    `This is a bug in ridlkit ${host.version}. Please report it with the command, the schema and the output with RIDLKIT_DEBUG=1.`,
  ];
  if (environmentVariable(host, "RIDLKIT_DEBUG") === "1" && err instanceof Error)
    lines.push(visibleLines(err.stack ?? ""));
  return `${lines.join("\n")}\n`;
}

export function outputErrorText(err: Error): string {
  return `ridlkit: Cannot write to standard output: ${visible(err.message)}.\n`;
}
