/** Decides how shops can filter by a property (trait) of collectibles: by a range, by a list of values, or not. */

export interface PropertySummary {
  readonly name: string;
  /** Whether some token has an object as its value, which no filter can match. */
  readonly hasObjects: boolean;
  readonly hasLists: boolean;
  /** Whether some token has a single value that is not an integer. */
  readonly hasTexts: boolean;
  readonly hasIntegers: boolean;
  /** Range of the integer values. */
  readonly min: number | null;
  readonly max: number | null;
  /** Distinct and sorted. Used for lists and texts only; `maxValues + 1` of them are enough. */
  readonly values: readonly string[];
}

export interface Filter {
  readonly name: string;
  readonly type: "INT" | "STRING" | "ARRAY" | "GENERIC";
  readonly min: number | null;
  readonly max: number | null;
  readonly values: string[];
}

/** Maximum number of values that a filter lists. A longer list is no help. */
const maxValues = 1_000;

/** Infers the filter of a property: a range if all values are integers; else a list of values if they are few; else none. */
export function inferFilter({
  name,
  hasObjects,
  hasLists,
  hasTexts,
  min,
  max,
  values,
}: PropertySummary): Filter {
  const plain = { name, min: null, max: null };
  if (hasObjects || values.length > maxValues) return { ...plain, type: "GENERIC", values: [] };
  if (hasLists) return { ...plain, type: "ARRAY", values: [...values] };
  if (hasTexts) return { ...plain, type: "STRING", values: [...values] };
  return { name, type: "INT", min, max, values: [] };
}
