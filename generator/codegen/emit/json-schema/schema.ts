import type { Side } from "../../plan/constraints.ts";
import type { Json } from "../../plan/json.ts";
import type { Int64Form } from "../../plan/value-forms.ts";

/** A schema object. */
export type Schema = { readonly [keyword: string]: Json };

/** Names of the definitions. */
export interface Views {
  /** Prefix of references: `#/$defs/`. */
  readonly root: string;
  readonly int64: Int64Form;
  /** Whether requests and responses have separate definitions. */
  isSplit(typeName: string): boolean;
  nameOf(typeName: string, side: Side): string;
}

/** Returns `{ $ref: "#/$defs/Order.request" }`. */
export function reference(typeName: string, side: Side, views: Views): Schema {
  return { $ref: `${views.root}${views.nameOf(typeName, side)}` };
}
