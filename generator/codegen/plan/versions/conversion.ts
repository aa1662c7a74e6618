/** What is known about the conversion of values between two versions. */
import type { Json } from "../json.ts";

/** Requests are converted up, to the next version; responses down. */
export type Direction = "up" | "down";

/** How a value is converted. */
export type Conversion =
  | { readonly kind: "same" | "number" | "bigint" | "lowercase" }
  | { readonly kind: "list" | "map"; readonly item: Conversion }
  | { readonly kind: "pair"; readonly pair: TypePair };

/** A type of one version, and the type of the other version that its values become. */
export interface TypePair {
  /** Name of the function that converts. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly parts: PairParts;
  /** Values are passed on unchanged. */
  readonly isSame: boolean;
  /** A converted value may break a rule of the other version. */
  readonly needsCheck: boolean;
  /** The conversion needs a custom function, because no rule can convert every value. */
  readonly isCustom: boolean;
}

export type PairParts =
  | { readonly kind: "struct"; readonly fields: readonly FieldStep[] }
  /** `missing`: values that the other version lacks. */
  | { readonly kind: "enum"; readonly missing: readonly string[] }
  | { readonly kind: "alias"; readonly target: Conversion };

/** How a field, or a file, of the other version gets its value. */
export interface FieldStep {
  /** Name on the wire, and key in TypeScript. */
  readonly name: string;
  readonly key: string;
  /** Whether the field may be absent. */
  readonly isOptional: boolean;
  /** Null is a value of its own, other than absent. */
  readonly keepsNull: boolean;
  readonly source?: FieldSource;
  /** What the field gets if there is no value. */
  readonly absent: Absent;
}

export interface FieldSource {
  readonly name: string;
  readonly presence: Presence;
  readonly conversion: Conversion;
}

export type Absent =
  | { readonly kind: "omit" | "null" | "custom" }
  | { readonly kind: "default"; readonly value: Json | bigint; readonly isDate: boolean };

/** Whether a field always has a value, may be absent, is null without one, or may be absent or null, which differ. */
export type Presence = "always" | "optional" | "nullable" | "omittable";

export const same: Conversion = { kind: "same" };

/** Whether a conversion without named types changes nothing. */
export function isSameConversion(conversion: Conversion): boolean {
  if (conversion.kind === "list" || conversion.kind === "map")
    return conversion.item.kind === "pair" || isSameConversion(conversion.item);
  return conversion.kind === "same";
}

/** Whether a conversion changes nothing. To be asked when all conversions are known. */
export function changesNothing(conversion: Conversion): boolean {
  if (conversion.kind === "pair") return conversion.pair.isSame;
  return conversion.kind === "list" || conversion.kind === "map"
    ? changesNothing(conversion.item)
    : conversion.kind === "same";
}
