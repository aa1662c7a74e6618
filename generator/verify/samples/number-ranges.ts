import { type FieldContext, wordsOf } from "./meaning.ts";

export interface NumberRange {
  readonly low: number;
  readonly high: number;
}

/** Realistic ranges, by the words at the end of a field name. The first match counts. */
const ranges: readonly (readonly [RegExp, number, number])[] = [
  [/(^| )age$/, 18, 80],
  [/(^| )year$/, 2000, 2026],
  [/(^| )(latitude|lat)$/, -90, 90],
  [/(^| )(longitude|lng|lon)$/, -180, 180],
  [/(^| )(rating|stars|score)$/, 1, 5],
  [/(^| )(percent|percentage)$/, 0, 100],
  [/(^| )(quantity|qty|stock|seats|guests|nights|rooms|pages)$/, 1, 20],
  [/(^| )decimals$/, 6, 18],
  [/(^| )(price|amount|cost|total|fee|balance)$/, 1, 200],
];

/** The realistic range of a field, within its bounds; undefined if the name is unknown or the bounds exclude the range. */
export function usualRange(
  fieldContext: FieldContext | undefined,
  bounds: NumberRange,
): NumberRange | undefined {
  const words = wordsOf(fieldContext?.field ?? "");
  const found = ranges.find(([pattern]) => pattern.test(words));
  if (found === undefined) return undefined;
  const range = { low: Math.max(found[1], bounds.low), high: Math.min(found[2], bounds.high) };
  return range.low <= range.high ? range : undefined;
}
