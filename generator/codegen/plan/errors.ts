import type { ErrorModel } from "../../language/model/model.ts";
import { protocolErrors } from "../../runtime/src/protocol-error-table.ts";
import { documented } from "./docs.ts";
import { claimName, pascalCase, typeIdentifier } from "./names.ts";
import type { Plan, PlannedError, PlannedErrorData, PlannedMethod } from "./plan.ts";

/** Names and messages that replace those of protocol errors, by code. */
export type ProtocolErrorNames = Readonly<
  Record<string, { readonly name?: string; readonly message?: string }>
>;

/**
 * Returns the errors of the protocol, then those of the schema by code. `dataOf` plans data by the name of its type in the
 * schema.
 */
export function planErrors(
  declaredErrors: readonly ErrorModel[],
  protocolErrorNames: ProtocolErrorNames,
  hasHistory: boolean,
  dataOf: (typeName: string) => PlannedErrorData,
): readonly PlannedError[] {
  const taken = new Set<string>();
  const ofProtocol = protocolErrors
    .filter(({ code }) => code !== clientOutdatedCode || hasHistory)
    .map((error) => planProtocolError(error, protocolErrorNames[String(error.code)], taken));
  const declared = [...declaredErrors]
    .sort((a, b) => a.code - b.code)
    .map((error) => planDeclared(error, taken, dataOf));
  return [...ofProtocol, ...declared];
}

/**
 * Returns the schema errors that no method lists. The server's hooks can raise them for any method, for example because
 * of missing credentials or an exceeded limit.
 */
export function unlistedErrors({ errors, services }: Plan): readonly PlannedError[] {
  const lists = services.flatMap(({ methods }) => methods.flatMap((method) => method.errors ?? []));
  const listed = new Set(lists.map(({ name }) => name));
  return errors.filter(({ isOfProtocol, name }) => !isOfProtocol && !listed.has(name));
}

/** Returns the schema errors that a method may fail with: its own, and those that no method lists. */
export function possibleErrors(plan: Plan, { errors }: PlannedMethod): readonly PlannedError[] {
  return errors === undefined
    ? plan.errors.filter(({ isOfProtocol }) => !isOfProtocol)
    : [...errors, ...unlistedErrors(plan)];
}

/** Code of WebrpcClientOutdated, which only servers of several versions raise. */
export const clientOutdatedCode = -100;

function planProtocolError(
  own: (typeof protocolErrors)[number],
  { name = own.name, message = own.message }: ProtocolErrorNames[string] = {},
  taken: Set<string>,
): PlannedError {
  const className = claimName(errorClass(name), taken);
  return { name, className, code: own.code, message, httpStatus: own.status, isOfProtocol: true, docs: [] };
}

function planDeclared(
  { name, code, message, httpStatus, data, docs }: ErrorModel,
  taken: Set<string>,
  dataOf: (typeName: string) => PlannedErrorData,
): PlannedError {
  const className = claimName(errorClass(name), taken);
  const error = { name, className, code, message, httpStatus, isOfProtocol: false, ...documented(docs) };
  return data === undefined ? error : { ...error, data: dataOf(data) };
}

/** Whether the runtime has this error: it is built in, and the configuration does not rename it. */
export function isOfRuntime({ code, name, message, className }: PlannedError): boolean {
  const own = protocolErrors.find((error) => error.code === code);
  return own?.name === name && own.message === message && errorClass(name) === className;
}

/** Whether the configuration renames protocol errors. */
export function renamesProtocolErrors(errors: readonly PlannedError[]): boolean {
  return errors.some((error) => error.isOfProtocol && !isOfRuntime(error));
}

/** `NotFound` → `NotFoundError`; `WebrpcInternalError` is unchanged. */
function errorClass(name: string): string {
  const pascal = pascalCase(name);
  return typeIdentifier(pascal.endsWith("Error") ? pascal : `${pascal}Error`);
}

export interface ErrorUnion {
  readonly name: string;
  readonly docs: string;
  /** Class names. */
  readonly members: readonly string[];
}

export interface ErrorUnions {
  /** protocol errors. Part of every method's union. */
  readonly protocol: ErrorUnion;
  /** Schema errors that no method lists. Part of every method's union. */
  readonly unlisted: ErrorUnion;
  /** For methods that neither list errors nor have `@noErrors`. */
  readonly schema: ErrorUnion;
}

export function errorUnions(plan: Plan): ErrorUnions {
  const { errors } = plan;
  const taken = new Set(errors.map(({ className }) => className));
  const classes = (of: readonly PlannedError[]): string[] => of.map(({ className }) => className);
  return {
    protocol: {
      name: claimName("ProtocolError", taken),
      docs: "The errors of the protocol and of the client. Every method may fail with them.",
      members: classes(errorsOfProtocol(plan)),
    },
    unlisted: {
      name: claimName("UnlistedError", taken),
      docs: "The schema errors that no method lists. Every method may fail with them.",
      members: classes(unlistedErrors(plan)),
    },
    schema: {
      name: claimName("SchemaError", taken),
      docs: "All errors of the schema. Methods that neither list errors nor have `@noErrors` may fail with any of them.",
      members: classes(errors.filter(({ isOfProtocol }) => !isOfProtocol)),
    },
  };
}

/** Returns the errors that any method may fail with. */
export function commonErrors(plan: Plan): readonly PlannedError[] {
  return [...errorsOfProtocol(plan), ...unlistedErrors(plan)];
}

function errorsOfProtocol({ errors }: Plan): readonly PlannedError[] {
  return errors.filter(({ isOfProtocol, code }) => isOfProtocol && !streamCodes.has(code));
}

/** Codes of WebrpcStreamLost and WebrpcStreamFinished, which only streams raise. */
const streamCodes: ReadonlySet<number> = new Set([-9, -10]);
