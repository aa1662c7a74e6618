import type { BreakingFinding } from "./findings.ts";

/** Marks a finding that converters of a kept version cover. Such a finding never fails a run, not even with `--strict`. */
export function asConverted(finding: BreakingFinding, version: string): BreakingFinding {
  const note = { message: `Converted for ${version}.` };
  return { ...finding, severity: "warning", notes: [...finding.notes, note] };
}
