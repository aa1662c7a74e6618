import type { PlannedBody, PlannedMethod, PlannedService } from "../../plan/plan.ts";
import type { TypescriptOptions } from "./options.ts";

/** `GetUser` → `getUser`, `URLLookup` → `uRLLookup`: gen-typescript lowers the first letter and nothing else. */
export function memberName({ name }: PlannedMethod): string {
  const plain = identifier(name);
  return plain.charAt(0).toLowerCase() + plain.slice(1);
}

/** `GetUser` → `getUser`, `URLLookup` → `urlLookup`: the second part of a query key. */
export function queryName({ name }: PlannedMethod): string {
  const upper = /^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+/.exec(name)?.[0] ?? "";
  return upper.toLowerCase() + name.slice(upper.length);
}

export function className({ name }: PlannedService): string {
  return identifier(name);
}

/** Of the struct that carries arguments: `GetUserRequest`, or `GetUserArgs` with `-compat`. */
export function bodyName(
  { typeName, isOwn }: PlannedBody,
  side: "request" | "response",
  { compat }: TypescriptOptions,
): string {
  if (!compat || !isOwn) return typeName;
  return typeName.replace(/(Request|Response)(?=[0-9]*$)/, side === "request" ? "Args" : "Return");
}

/** A name of the schema with what no identifier may have. */
function identifier(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_$]/g, "_");
  return /^[0-9]/.test(plain) ? `_${plain}` : plain;
}
