/** What is known of one property of a collection. */
export interface PropertySummary {
  readonly name: string;
  /** Whether a token has something there that no filter can name. */
  readonly hasObjects: boolean;
  readonly hasLists: boolean;
  /** Whether a token has a single value there that is no integer. */
  readonly hasTexts: boolean;
  readonly hasIntegers: boolean;
  /** Of the integers. */
  readonly min: number | null;
  readonly max: number | null;
  /** Distinct and sorted; needed of lists and texts only, and then one more than `valuesMax` is enough. */
  readonly values: readonly string[];
}

export interface Filter {
  readonly name: string;
  readonly type: "INT" | "STRING" | "ARRAY" | "GENERIC";
  readonly min: number | null;
  readonly max: number | null;
  readonly values: string[];
}

/** Most values that a filter lists: with more there is nothing to choose from. */
const valuesMax = 1_000;

/** How tokens can be filtered by a property: by range if all of it are integers, else by a list of values, else not at all. */
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
  if (hasObjects || values.length > valuesMax) return { ...plain, type: "GENERIC", values: [] };
  if (hasLists) return { ...plain, type: "ARRAY", values: [...values] };
  if (hasTexts) return { ...plain, type: "STRING", values: [...values] };
  return { name, type: "INT", min, max, values: [] };
}
