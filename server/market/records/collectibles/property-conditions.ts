/** What a filter may ask of the properties of tokens, and what that comes to. */

/** A token passes if one value that it has under the name is in the range, and one of the values that are listed. */
export interface PropertyCondition {
  readonly name: string;
  readonly min?: number | null | undefined;
  readonly max?: number | null | undefined;
  /** Empty or undefined: any. */
  readonly values?: readonly string[] | undefined;
}

/** All conditions of one name. Both ends of the range are inclusive; null: open. */
export interface MergedCondition {
  readonly name: string;
  readonly min: number | null;
  readonly max: number | null;
  /** A token needs a value of each list: a property that is a list itself may have them all. */
  readonly lists: readonly (readonly string[])[];
}

/** Names that a filter may speak of, and values that it may list in all: both multiply what the database has to read. */
const propertyNamesMax = 20;
const propertyValuesMax = 1_000;

/** A sentence for the caller if a filter asks for more than is read. */
export function tooManyProperties(conditions: readonly PropertyCondition[]): string | undefined {
  const names = new Set(conditions.map(({ name }) => name)).size;
  if (names > propertyNamesMax) return `conditions on at most ${propertyNamesMax} names, found ${names}`;
  const values = conditions.reduce((sum, one) => sum + (one.values?.length ?? 0), 0);
  return values > propertyValuesMax
    ? `at most ${propertyValuesMax} values in all, found ${values}`
    : undefined;
}

/** One condition a name: of its ranges what they share, and each list once. What asks for nothing is left out. */
export function mergeConditions(conditions: readonly PropertyCondition[]): readonly MergedCondition[] {
  const names = new Set(conditions.map(({ name }) => name));
  return [...names]
    .map((name) =>
      mergedOf(
        name,
        conditions.filter((one) => one.name === name),
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
