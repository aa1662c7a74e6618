import { arranged } from "../compile.ts";
import { strictly } from "../diagnostics/diagnostic.ts";
import { lint } from "../lint/lint.ts";
import { type LintSettings, lintSettings } from "../lint/settings.ts";
import type { CheckedSchema } from "./fix.ts";

/** Adds what the rules of style find in the schemas that have no error; one that finds an error rejects its schema. */
export async function withStyle(
  checked: readonly CheckedSchema[],
  given: LintSettings | undefined,
): Promise<CheckedSchema[]> {
  return Promise.all(checked.map((one) => styled(one, given ?? lintSettings(one.schema.lint))));
}

async function styled(
  { schema, compilation }: CheckedSchema,
  settings: LintSettings,
): Promise<CheckedSchema> {
  const { result } = compilation;
  if (result === undefined) return { schema, compilation };
  const found = await lint(result.scopes, settings);
  if (found.length === 0) return { schema, compilation };
  const counted = schema.strict ? found.map(strictly) : found;
  const diagnostics = arranged([...compilation.diagnostics, ...counted]);
  const isRefused = counted.some(({ severity }) => severity === "error");
  return { schema, compilation: { diagnostics, result: isRefused ? undefined : result } };
}
