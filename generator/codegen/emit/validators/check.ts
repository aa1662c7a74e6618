import type { Side } from "../../plan/constraints.ts";
import type { PlannedEnum, PlannedStruct } from "../../plan/plan.ts";
import type { TypeFinder } from "../../plan/type-finder.ts";
import type { ValueForms } from "../../plan/value-forms.ts";
import type { ConstrainedType } from "./constrained-type.ts";
import type { DepthRules } from "./depth.ts";
import type { Dialect } from "./dialect.ts";

/** How a value is checked where it is used. */
export type Check =
  /** An expression that is true if the variable is valid. */
  | { readonly kind: "test"; readonly test: (name: string) => string; readonly expected: string }
  /** A function that returns the canonical value, or undefined. */
  | { readonly kind: "decode"; readonly functionName: string; readonly expected: string }
  /** A call that returns the faults inside. `depth` is an expression. */
  | { readonly kind: "faults"; readonly call: (value: string, depth: string) => string }
  | { readonly kind: "any" };

/** Provides the functions of a file. */
export interface FunctionSource {
  readonly types: TypeFinder;
  readonly side: Side;
  readonly forms: ValueForms;
  readonly depths: DepthRules;
  readonly dialect: Dialect;
  /** All names of the file, which local variables must avoid. */
  readonly names: ReadonlySet<string>;
  /** Returns the check of a type. `name`: for the constant of its pattern, unless the type is an alias. */
  check(constrained: ConstrainedType, name?: string): Check;
  /** Returns the name of a function that tests whether a value is an entry of an enum. */
  enumTest(type: PlannedEnum): string;
  /** Returns the name of a set of the names of a struct's fields. */
  fieldNames(struct: PlannedStruct): string;
}
