import type { Side } from "../../plan/constraints.ts";
import type { Json } from "../../plan/json.ts";
import type { Int64Form } from "../../plan/value-forms.ts";

/** A schema object. */
export type Schema = { readonly [keyword: string]: Json };

/** What schemas describe, and the names of the definitions. */
export interface Views {
  /** Prefix of references: `#/$defs/`. */
  readonly root: string;
  readonly int64: Int64Form;
  /**
   * Whether schemas describe one form of each value, from which generators make simple types, and the width of numbers, which
   * some generators need. Otherwise, they describe
   * exactly what a server reads and writes. Requests then show null for absent fields, other names and forms, and numbers
   * of enums; responses show that timestamps are in UTC and text is in lower case.
   */
  readonly isCanonical: boolean;
  /** Whether requests and responses have separate definitions. */
  isSplit(typeName: string): boolean;
  nameOf(typeName: string, side: Side): string;
}

/** Returns `{ $ref: "#/$defs/Order.request" }`. */
export function reference(typeName: string, side: Side, views: Views): Schema {
  return { $ref: `${views.root}${views.nameOf(typeName, side)}` };
}
