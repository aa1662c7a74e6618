/** Whether the values of one version are valid in another. */
import { coreTypes } from "../../../language/model/core-types.ts";
import type { Constraints } from "../../../language/model/meta/read.ts";
import type { UnaliasedType } from "../type-finder.ts";
import { bigintRange, type ValueForms } from "../value-forms.ts";

export interface RuledType {
  readonly type: UnaliasedType;
  readonly constraints: Constraints;
}

type Bound = number | bigint | undefined;

/** Whether the rules of a type allow all values of another type of the same kind. Ignores the parts of lists and maps. */
export function allowsAll(to: RuledType, from: RuledType, forms: ValueForms): boolean {
  const [wide, narrow] = [to.constraints, from.constraints];
  return (
    (wide.pattern === undefined || wide.pattern === narrow.pattern) &&
    (wide.normalize === undefined || wide.normalize === narrow.normalize) &&
    isWithin(narrow.minLength, narrow.maxLength, wide.minLength, wide.maxLength) &&
    isWithin(narrow.minItems, narrow.maxItems, wide.minItems, wide.maxItems) &&
    isWithin(...rangeOf(from, forms), ...rangeOf(to, forms))
  );
}

function isWithin(low: Bound, high: Bound, min: Bound, max: Bound): boolean {
  return (
    (min === undefined || (low !== undefined && low >= min)) &&
    (max === undefined || (high !== undefined && high <= max))
  );
}

/** Intersects the range of a number type with its constraints. */
function rangeOf(
  { type, constraints: { minimum, maximum } }: RuledType,
  forms: ValueForms,
): readonly [Bound, Bound] {
  const [low, high] = typeRange(type, forms);
  return [
    low === undefined || (minimum !== undefined && minimum > low) ? minimum : low,
    high === undefined || (maximum !== undefined && maximum < high) ? maximum : high,
  ];
}

function typeRange(type: UnaliasedType, forms: ValueForms): readonly [Bound, Bound] {
  if (type.kind !== "core") return [undefined, undefined];
  const core = coreTypes[type.name];
  if (core.kind === "float") return [-core.max, core.max];
  if (core.kind !== "integer") return [undefined, undefined];
  const { low, high } = bigintRange(core, forms.int64) ?? core.range;
  return [low, high];
}
