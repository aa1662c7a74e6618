import type { Shape } from "../meta/keys.ts";

/** All that the toolkit knows of a core type. What its values have in common with those of other types is their `kind`. */
export type CoreTypeDescriptor =
  | PlainDescriptor
  | IntegerDescriptor
  | FloatDescriptor
  | BigintDescriptor
  | FormattedDescriptor;

/** Rooms handle each kind. A new kind makes the compiler name every room that has to handle it. */
export type CoreKind = CoreTypeDescriptor["kind"];

interface Common {
  /** Which meta keys make sense; undefined: all of them. */
  readonly shape: Shape | undefined;
  /** What the type is called elsewhere, in lower case. */
  readonly foreignNames: readonly string[];
  /** Its JSON in words, as Markdown. */
  readonly description: string;
  /** Its JSON as TypeScript. */
  readonly json: string;
  /** Its values in TypeScript, unless an option of the generator decides: the option's value is then the type. */
  readonly typescript: string;
  readonly option?: "int64" | "timestamps";
  /** How recordings hold its values. */
  readonly recorded: "hidden" | "number" | "text" | "truth";
  /** Kinds that read all of its JSON: always, or on one side only. Numbers of one kind are compared by their ranges. */
  readonly widensTo: Readonly<Partial<Record<CoreKind, "always" | "request" | "response">>>;
  /** JSON that the type never allows, and why: `["maybe", "is not a boolean"]`. Rooms add what constraints and ranges exclude. */
  readonly invalid: readonly (readonly [value: string, words: string])[];
  /** Whether a `default` with this text is a value of the type. */
  readonly isDefault: (text: string) => boolean;
}

export interface PlainDescriptor extends Common {
  readonly kind: "null" | "any" | "boolean" | "text";
}

/** A JSON number without a fraction. */
export interface IntegerDescriptor extends Common {
  readonly kind: "integer";
  /** The integers that JSON numbers hold exactly. */
  readonly range: IntegerRange;
  /** All integers of a type with 64 bits, which are bigints if the option `int64` says so. */
  readonly bigRange?: BigIntegerRange;
}

/** Bounds are inclusive. */
export interface IntegerRange {
  readonly low: number;
  readonly high: number;
}

export interface BigIntegerRange {
  readonly low: bigint;
  readonly high: bigint;
}

export interface FloatDescriptor extends Common {
  readonly kind: "float";
  /** The largest magnitude. */
  readonly max: number;
}

/** Decimal text in JSON. */
export interface BigintDescriptor extends Common {
  readonly kind: "bigint";
  readonly edges: BySide<readonly (string | number)[]>;
}

/** Text in a format of its own. */
export interface FormattedDescriptor extends Common {
  readonly kind: "formatted";
  /** As JSON Schema calls the format, if it has a name for it. */
  readonly format?: string;
  /** Regular expressions without flags, as close to the format as a pattern comes. */
  readonly pattern: BySide<string>;
  /** What a fault says was expected. */
  readonly expected: BySide<string>;
  /** The function of the runtime that tests for the canonical form, which responses have. */
  readonly test: string;
  /** The function of the runtime that makes the canonical form of what requests may have, if they may have more. */
  readonly read?: string;
  /** Values that try what the format allows. */
  readonly edges: BySide<readonly string[]>;
}

type BySide<Value> = Readonly<Record<"request" | "response", Value>>;
