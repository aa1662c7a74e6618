import type { ErrorModel } from "../../language/model/model.ts";
import { builtinErrors } from "../../runtime/src/builtin-errors.ts";
import { documented } from "./deprecations.ts";
import { claimName, pascalCase, typeIdentifier } from "./names.ts";
import type { Plan, PlannedError, PlannedMethod } from "./plan.ts";

/** Names and messages that replace those of built-in errors, by code. */
export type BuiltinNames = Readonly<Record<string, { readonly name?: string; readonly message?: string }>>;

/** Returns the errors of the protocol, then those of the schema by code. */
export function planErrors(
  declaredErrors: readonly ErrorModel[],
  builtinNames: BuiltinNames,
  hasHistory = false,
): readonly PlannedError[] {
  const taken = new Set<string>();
  const builtins = builtinErrors
    .filter(({ code }) => code !== clientOutdatedCode || hasHistory)
    .map((error) => planBuiltin(error, builtinNames[String(error.code)], taken));
  const declared = [...declaredErrors]
    .sort((a, b) => a.code - b.code)
    .map((error) => planDeclared(error, taken));
  return [...builtins, ...declared];
}

/**
 * Returns the schema errors that no method lists. The server's hooks can raise them for any method, for example because
 * of missing credentials or an exceeded limit.
 */
export function unlistedErrors({ errors, services }: Plan): readonly PlannedError[] {
  const lists = services.flatMap(({ methods }) => methods.flatMap((method) => method.errors ?? []));
  const listed = new Set(lists.map(({ name }) => name));
  return errors.filter(({ builtin, name }) => !builtin && !listed.has(name));
}

/** Returns the schema errors that a method may fail with: its own, and those that no method lists. */
export function possibleErrors(plan: Plan, { errors }: PlannedMethod): readonly PlannedError[] {
  return errors === undefined
    ? plan.errors.filter(({ builtin }) => !builtin)
    : [...errors, ...unlistedErrors(plan)];
}

/** Code of WebrpcClientOutdated, which only servers of several versions raise. */
export const clientOutdatedCode = -100;

function planBuiltin(
  own: (typeof builtinErrors)[number],
  { name = own.name, message = own.message }: BuiltinNames[string] = {},
  taken: Set<string>,
): PlannedError {
  const className = claimName(errorClass(name), taken);
  return { name, className, code: own.code, message, httpStatus: own.status, builtin: true, docs: [] };
}

function planDeclared(
  { name, code, message, httpStatus, docs }: ErrorModel,
  taken: Set<string>,
): PlannedError {
  const className = claimName(errorClass(name), taken);
  return { name, className, code, message, httpStatus, builtin: false, ...documented(docs) };
}

/** Whether the runtime has this error: it is built in, and the configuration does not rename it. */
export function isOfRuntime({ code, name, message, className }: PlannedError): boolean {
  const own = builtinErrors.find((error) => error.code === code);
  return own?.name === name && own.message === message && errorClass(name) === className;
}

/** Whether the configuration renames built-in errors. */
export function renamesBuiltins(errors: readonly PlannedError[]): boolean {
  return errors.some((error) => error.builtin && !isOfRuntime(error));
}

/** `NotFound` → `NotFoundError`; `WebrpcInternalError` is unchanged. */
function errorClass(name: string): string {
  const pascal = pascalCase(name);
  return typeIdentifier(pascal.endsWith("Error") ? pascal : `${pascal}Error`);
}
