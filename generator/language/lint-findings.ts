import { type Compilation, sortDiagnostics } from "./compile.ts";
import { underStrict } from "./diagnostics/diagnostic.ts";
import { lint } from "./lint/lint.ts";
import type { LintSettings } from "./lint/settings.ts";

/** Adds lint findings to a valid schema. A finding with severity "error" rejects the schema. */
export async function addLintFindings(
  compilation: Compilation,
  settings: LintSettings,
  strict: boolean,
): Promise<Compilation> {
  const { result } = compilation;
  if (result === undefined) return compilation;
  const found = await lint(result.scopes, settings);
  if (found.length === 0) return compilation;
  const findings = strict ? found.map(underStrict) : found;
  const diagnostics = sortDiagnostics([...compilation.diagnostics, ...findings]);
  const isRejected = findings.some(({ severity }) => severity === "error");
  return { diagnostics, result: isRejected ? undefined : result };
}
