import type { ErrorModel } from "../../language/model/model.ts";
import { type BuiltinError, builtinErrors } from "./builtin-errors.ts";
import { documented } from "./documentation.ts";
import { claimName, pascalCase, typeIdentifier } from "./names.ts";
import type { Plan, PlannedError, PlannedMethod } from "./plan.ts";

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

/**
 * The errors of the schema that no method lists. They are the host's: its hooks (credentials, limits, capacity) raise them around
 * any method.
 */
export function unlistedErrors({ errors, services }: Plan): readonly PlannedError[] {
  const lists = services.flatMap(({ methods }) => methods.flatMap((method) => method.errors ?? []));
  const listed = new Set(lists.map(({ name }) => name));
  return errors.filter(({ builtin, name }) => !builtin && !listed.has(name));
}

/** The errors of the schema that a method may return: its own, and those that no method lists. */
export function possibleErrors(plan: Plan, { errors }: PlannedMethod): readonly PlannedError[] {
  return errors === undefined
    ? plan.errors.filter(({ builtin }) => !builtin)
    : [...errors, ...unlistedErrors(plan)];
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
