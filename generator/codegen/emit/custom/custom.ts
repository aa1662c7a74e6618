import type { Plan } from "../../plan/plan.ts";
import type { EmittedFile } from "../emitter.ts";
import type { Overrides } from "../render.ts";

/** Custom templates, ready to print. */
export interface CustomTemplates {
  /** Custom templates that replace built-in ones, by name. */
  readonly overrides: Overrides;
  readonly targets: readonly CustomTarget[];
}

export interface CustomTarget {
  /** Name of the folder, in the templates and in the output. */
  readonly name: string;
  emit(plan: Plan): readonly EmittedFile[];
}

export const noTemplates: CustomTemplates = { overrides: new Map(), targets: [] };

/**
 * Converts the plan to plain objects for templates. Absent optional values become null, so that any other missing key
 * is reported as a mistake in the template.
 */
export function planData(plan: Plan): Readonly<Record<string, unknown>> {
  return plainObject({ ...plan }) as Readonly<Record<string, unknown>>;
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

/** Optional keys. The first element is a key by which objects that may have them are recognised. */
const optionalKeys: readonly (readonly [string, readonly string[]])[] = [
  ["docs", ["deprecated"]],
  ["wireName", ["default"]],
  ["wire", ["number"]],
  ["fields", ["base", "files", "uploadType"]],
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
