/** Validators as Standard Schemas (https://standardschema.dev), which forms and servers of other makers accept. */
import { type Issue, issue } from "./issue.ts";
import { type Faults, issuesOf } from "./validation-faults.ts";

/** Compatible with `StandardSchemaV1` of `@standard-schema/spec`. `Input` is what callers write. */
export interface StandardSchema<Input, Output> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    /** For types only; undefined at run time. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Returns a copy with defaults, or the first 20 issues. Neither throws nor changes the input. */
    readonly validate: (value: unknown) => StandardResult<Output>;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

/** Holds a value, so that a reader can replace it. */
export interface Holder {
  value: unknown;
}

/** `read` decodes the value in place and returns its faults. */
export function standardSchema<Input, Output>(
  read: (holder: Holder) => Faults | undefined,
): StandardSchema<Input, Output> {
  return { "~standard": { version: 1, vendor: "ridlkit", validate: (value) => validate(value, read) } };
}

function validate<Output>(
  value: unknown,
  read: (holder: Holder) => Faults | undefined,
): StandardResult<Output> {
  try {
    const holder = { value: copyOf(value) };
    const issues = issuesOf(read(holder));
    return issues === undefined ? { value: holder.value as Output } : { issues: issues.listed };
  } catch {
    // A cycle overflows the stack, and a getter or a proxy may throw anything.
    return { issues: [issue([], "a value that JSON can represent", "one that cannot be copied")] };
  }
}

/** Copies a value as JSON would: objects without undefined fields, and Dates as text. Bigints stay bigints. */
function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copyOf(item));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? value : value.toISOString();
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([key, field]) => [key, copyOf(field)]));
}
