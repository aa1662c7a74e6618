import type { Shape } from "../meta/keys.ts";

/** Everything the toolkit knows about one core type. Types with similar values share a `kind`. */
export type CoreTypeDescriptor =
  | PlainDescriptor
  | IntegerDescriptor
  | FloatDescriptor
  | BigintDescriptor
  | FormattedDescriptor;

/** Modules switch on the kind, so the compiler names every module that a new kind must be added to. */
export type CoreKind = CoreTypeDescriptor["kind"];

interface Common {
  /** Which meta keys apply; undefined means all. */
  readonly shape: Shape | undefined;
  /** Names of the type in other languages, in lower case. */
  readonly foreignNames: readonly string[];
  /** Description of its JSON, as Markdown. */
  readonly description: string;
  /** Its JSON as a TypeScript type. */
  readonly json: string;
  /** Its TypeScript type, unless `option` is set: the generator option's value is then the type. */
  readonly typescript: string;
  readonly option?: "int64" | "timestamps";
  /** How recordings store its values. */
  readonly recorded: "hidden" | "number" | "text" | "truth";
  /** Kinds that accept all of its JSON: always, or on one side only. Numbers of one kind are compared by their ranges. */
  readonly widensTo: Readonly<Partial<Record<CoreKind, "always" | "request" | "response">>>;
  /**
   * JSON values that the type never accepts, with the reason: `["maybe", "is not a boolean"]`. Other modules add values outside
   * constraints and ranges.
   */
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
  /** The range that a JSON number holds exactly. */
  readonly range: IntegerRange;
  /** The full 64-bit range, for types that become bigint if the option `int64` says so. */
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
  /** The largest absolute value. */
  readonly max: number;
}

/** Decimal digits in a JSON string. */
export interface BigintDescriptor extends Common {
  readonly kind: "bigint";
  readonly edges: BySide<readonly (string | number)[]>;
}

/** A JSON string in a fixed format. */
export interface FormattedDescriptor extends Common {
  readonly kind: "formatted";
  /** The format's name in JSON Schema, if there is one. */
  readonly format?: string;
  /** Regular expressions without flags, as close to the format as a pattern can be. */
  readonly pattern: BySide<string>;
  /** The expectation that validation errors state. */
  readonly expected: BySide<string>;
  /** Name of the runtime function that checks the canonical form, which responses use. */
  readonly test: string;
  /**
   * Name of the runtime function that converts a request's value to the canonical form. Absent if requests accept only that form.
   */
  readonly read?: string;
  /** Test values at the edges of the format. */
  readonly edges: BySide<readonly string[]>;
}

type BySide<Value> = Readonly<Record<"request" | "response", Value>>;
