import type { ErrorModel } from "../model/model.ts";
import { type BuiltinError, builtinErrors } from "./builtin-errors.ts";
import { documented } from "./documentation.ts";
import { claimName, pascalCase, typeIdentifier } from "./names.ts";
import type { PlannedError } from "./plan.ts";

/** Other names and messages for built-in errors, by code. */
export type BuiltinNames = Readonly<Record<string, { readonly name?: string; readonly message?: string }>>;

/** The errors of the protocol in the order of its table, then those of the schema by code. */
export function planErrors(own: readonly ErrorModel[], renamed: BuiltinNames): readonly PlannedError[] {
  const taken = new Set<string>();
  const builtins = builtinErrors.map((error) =>
    planBuiltin({ ...error, ...renamed[String(error.code)] }, taken),
  );
  const declared = [...own].sort((a, b) => a.code - b.code).map((error) => planDeclared(error, taken));
  return [...builtins, ...declared];
}

function planBuiltin(error: BuiltinError, taken: Set<string>): PlannedError {
  return { ...error, className: claimName(errorClass(error.name), taken), builtin: true, docs: [] };
}

function planDeclared(
  { name, code, message, httpStatus, docs }: ErrorModel,
  taken: Set<string>,
): PlannedError {
  const className = claimName(errorClass(name), taken);
  return { name, className, code, message, httpStatus, builtin: false, ...documented(docs) };
}

/** `NotFound` → `NotFoundError`; `WebrpcInternalError` stays. */
function errorClass(name: string): string {
  const pascal = pascalCase(name);
  return typeIdentifier(pascal.endsWith("Error") ? pascal : `${pascal}Error`);
}
