import { type LintSettings, lintSettings } from "../../../language/lint/settings.ts";
import { addLintFindings } from "../../../language/lint-findings.ts";
import type { CheckedSchema } from "./fix.ts";

/** Adds the findings of style rules, with the settings `given` or those of each schema's configuration. */
export async function withLintRules(
  checked: readonly CheckedSchema[],
  given: LintSettings | undefined,
): Promise<CheckedSchema[]> {
  return Promise.all(
    checked.map(async ({ schema, compilation }) => ({
      schema,
      compilation: await addLintFindings(compilation, given ?? lintSettings(schema.lint), schema.strict),
    })),
  );
}
