import { visible } from "../../language/diagnostics/visible.ts";
import { type Report, reportFindings } from "./output/report.ts";
import type { Refusal } from "./refusal.ts";

/** Says why the configuration cannot be used, to somebody who is about to mend it. */
export async function tellRefusal(refusal: Refusal, report: Report): Promise<void> {
  if (refusal.kind === "configuration") await reportFindings(report, refusal.diagnostics);
  else report.terminal.err(`ridlkit: ${visible(refusal.message)}\n`);
}
