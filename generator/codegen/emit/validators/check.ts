import type { Side } from "../../plan/constraints.ts";
import type { PlannedEnum } from "../../plan/plan.ts";
import type { TypeFinder } from "../../plan/type-finder.ts";
import type { ValueForms } from "../../plan/value-forms.ts";
import type { ConstrainedType } from "./constrained-type.ts";
import type { DepthRules } from "./depth.ts";

/** How a value is checked at its place. */
export type Check =
  /** An expression that is true if the variable holds a good value. */
  | { readonly kind: "test"; readonly test: (name: string) => string; readonly expected: string }
  /** A function that answers the canonical value, or undefined. */
  | { readonly kind: "decode"; readonly functionName: string; readonly expected: string }
  /** A call that answers the faults inside; `depth` is an expression. */
  | { readonly kind: "faults"; readonly call: (value: string, depth: string) => string }
  | { readonly kind: "any" };

/** Where the functions of a file are asked for. */
export interface FunctionSource {
  readonly types: TypeFinder;
  readonly side: Side;
  readonly forms: ValueForms;
  readonly depths: DepthRules;
  /** All names of the file, which locals keep clear of. */
  readonly names: ReadonlySet<string>;
  /** `name` is what a place without a type of its own is called. */
  check(site: ConstrainedType, name?: string): Check;
  /** The name of a function that asks whether a value is an entry's name. */
  enumTest(type: PlannedEnum): string;
}
