/** Property conditions of a filter, and how they are merged. */

/** A token passes if one of its values for the property is in the range and in the list. */
export interface PropertyCondition {
  readonly name: string;
  readonly min?: number | null | undefined;
  readonly max?: number | null | undefined;
  /** Empty or undefined: any value. */
  readonly values?: readonly string[] | undefined;
}

/** All conditions on one property. Both ends of the range are inclusive; null means unbounded. */
export interface MergedCondition {
  readonly name: string;
  readonly min: number | null;
  readonly max: number | null;
  /** A token needs a value from each list. A property that is itself a list can match several. */
  readonly lists: readonly (readonly string[])[];
}

/** Limits on the properties and the values of a filter. Both multiply the rows that the database reads. */
const maxPropertyNames = 20;
const maxPropertyValues = 1_000;

/** Returns an error message if a filter exceeds the limits. */
export function propertyLimitError(conditions: readonly PropertyCondition[]): string | undefined {
  const names = new Set(conditions.map(({ name }) => name)).size;
  if (names > maxPropertyNames) return `conditions on at most ${maxPropertyNames} properties, found ${names}`;
  const values = conditions.reduce((sum, condition) => sum + (condition.values?.length ?? 0), 0);
  return values > maxPropertyValues
    ? `at most ${maxPropertyValues} values in all, found ${values}`
    : undefined;
}

/** Merges conditions by property: intersects the ranges and removes duplicate lists. Omits conditions that restrict nothing. */
export function mergeConditions(conditions: readonly PropertyCondition[]): readonly MergedCondition[] {
  const names = new Set(conditions.map(({ name }) => name));
  return [...names]
    .map((name) =>
      mergedOf(
        name,
        conditions.filter((condition) => condition.name === name),
      ),
    )
    .filter(({ min, max, lists }) => min !== null || max !== null || lists.length > 0);
}

function mergedOf(name: string, conditions: readonly PropertyCondition[]): MergedCondition {
  const [mins, maxs] = [
    conditions.flatMap(({ min }) => min ?? []),
    conditions.flatMap(({ max }) => max ?? []),
  ];
  const lists = conditions.flatMap(({ values = [] }) =>
    values.length === 0 ? [] : [[...new Set(values)].sort()],
  );
  return {
    name,
    min: mins.length === 0 ? null : Math.max(...mins),
    max: maxs.length === 0 ? null : Math.min(...maxs),
    lists: [...new Map(lists.map((list) => [JSON.stringify(list), list])).values()],
  };
}
