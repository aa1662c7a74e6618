import { visible } from "../../language/diagnostics/visible.ts";
import type { CommandError } from "./command-error.ts";
import { type Report, reportFindings } from "./output/report.ts";

/** Prints a command error of a command that keeps running, such as `dev` after an edit of the configuration. */
export async function reportCommandError(error: CommandError, report: Report): Promise<void> {
  if (error.kind === "configuration") await reportFindings(report, error.diagnostics);
  else report.terminal.err(`ridlkit: ${visible(error.message)}\n`);
}
