import type { Overrides } from "../options.ts";
import type { Plan } from "../plan/plan.ts";

/** Prints a view with a built-in template, or with the custom template that replaces it. Views are plain data. */
type Template<View> = (view: View, overrides?: Overrides) => string;

/** The default export of a `.hbs` file: its name, such as `client/service`, and its compiled function. */
export interface BuiltinTemplate {
  readonly name: string;
  readonly print: (view: object, missing: typeof missingValue, isTrue: typeof isTruthy) => string;
}

export function template<View extends object>({ name, print }: BuiltinTemplate): Template<View> {
  return (view, overrides) => overrides?.get(name)?.(view) ?? print(view, missingValue, isTruthy);
}

/** Prints undefined and null as nothing. A key that the view does not have is an error in the template. */
function missingValue(view: object, key: string): "" {
  if (key in view) return "";
  throw new Error(`"${key}" is not in the view`);
}

/** The condition of `{{#if}}`, in which an empty list is false. */
function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** Built-in templates that custom ones can replace: `types/types` by the file `types/types.hbs`. */
export const templateNames: readonly string[] = [
  "client/client",
  "errors/errors",
  "explorer/explorer",
  "mcp/mcp",
  "recorder/recorder",
  "server/server",
  "server/service",
  "types/types",
];

/**
 * Converts the plan to plain objects for templates, as `PlanData` describes it. Absent optional values become null, so that any
 * other missing key is reported as a mistake in the template.
 */
export function planData({
  facts,
  finder,
  fileTypes,
  brandType,
  earlier,
  ...data
}: Plan): Readonly<Record<string, unknown>> {
  return plainObject(data) as Readonly<Record<string, unknown>>;
}

function plainObject(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainObject);
  if (value instanceof Map)
    return plainObject(Object.fromEntries([...value].map(([key, one]) => [key, one ?? true])));
  if (typeof value !== "object" || value === null) return value ?? null;
  const given = Object.entries(value).map(([key, one]) => [key, plainObject(one)]);
  return { ...absentKeys(value), ...Object.fromEntries(given) };
}

/** Returns null for each optional property of an object. */
function absentKeys(value: object): Readonly<Record<string, null>> {
  const keys = optionalKeys.filter(([mark]) => mark in value).flatMap(([, optional]) => optional);
  return Object.fromEntries(keys.map((key) => [key, null]));
}

/** Optional keys. The first element is a key by which objects that may have them are recognized. */
const optionalKeys: readonly (readonly [string, readonly string[]])[] = [
  ["docs", ["deprecated"]],
  ["wireName", ["default", "group", "when"]],
  ["wire", ["number"]],
  ["fields", ["files"]],
  ["isList", ["within"]],
  ["memberName", ["errors", "read", "route"]],
  ["verb", ["query"]],
  [
    "accepts",
    [
      "pattern",
      "minimum",
      "maximum",
      "minLength",
      "maxLength",
      "minItems",
      "maxItems",
      "format",
      "default",
      "deprecated",
      "normalize",
      "nullable",
      "renamedFrom",
    ],
  ],
];
