import { TypedDataError } from "./typed-data-error.ts";
import type { TypedField } from "./types.ts";

/**
 * Returns the only type other than the domain, or the only type whose fields are the keys of the message. Throws TypedDataError
 * if neither is unique.
 */
export function inferPrimaryType(
  types: Readonly<Record<string, readonly TypedField[]>>,
  message: Readonly<Record<string, unknown>>,
): string {
  const names = Object.keys(types).filter((name) => name !== "EIP712Domain");
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  const keys = new Set(Object.keys(message));
  const fitting = names.filter((name) => {
    const fields = types[name] ?? [];
    return fields.length === keys.size && fields.every((field) => keys.has(field.name));
  });
  const [match] = fitting;
  if (match === undefined || fitting.length > 1)
    throw new TypedDataError("missing, and it cannot be inferred from the message", "primaryType");
  return match;
}
