import { coreTypeNames } from "../../language/model/core-types.ts";
import type { Model } from "../../language/model/model.ts";
import type { ResolvedType } from "../../language/model/types.ts";
import { holdersOf, innermost, withHolders } from "./holders.ts";
import { coreTypeText, type ValueForms } from "./value-forms.ts";

/** Returns a function that tests whether values of a type may contain a TypeScript bigint. Type names are those of the schema. */
export function bigintFinder({ types }: Model, forms: ValueForms): (type: ResolvedType) => boolean {
  const holders = types.map((type) => {
    const parts = type.kind === "struct" ? type.fields.map((field) => field.type) : [];
    return { name: type.name, parts: (type.kind === "alias" ? [type.type] : parts).map(nameInside) };
  });
  const bigints: string[] = coreTypeNames.filter((name) => coreTypeText(name, forms) === "bigint");
  if (forms.int64 === "bigint") bigints.push("any");
  const found = withHolders(bigints, holdersOf(holders));
  return (type) => found.has(nameInside(type));
}

/** Core types start with a lower-case letter and other types with an upper-case one, so their names do not clash. */
function nameInside(type: ResolvedType): string {
  const inside = innermost(type);
  return inside.kind === "unknown" ? "any" : inside.name;
}
