import type { Side } from "../../plan/constraints.ts";
import type { Json } from "../../plan/json.ts";
import type { Int64Form } from "../../plan/value-forms.ts";

/** One object of a schema. */
export type Schema = { readonly [keyword: string]: Json };

/** How types are called in the document. */
export interface Views {
  /** What references start with: `#/$defs/`. */
  readonly root: string;
  readonly int64: Int64Form;
  /** Whether requests and answers have a definition each. */
  isSplit(typeName: string): boolean;
  nameOf(typeName: string, side: Side): string;
  /** What was made on the way, by name of the type: definitions of types that are the same on both sides. */
  readonly sharedSchemas?: ReadonlyMap<string, Schema>;
}

/** `#/$defs/Order.request`. */
export function reference(typeName: string, side: Side, views: Views): Schema {
  return { $ref: `${views.root}${views.nameOf(typeName, side)}` };
}
