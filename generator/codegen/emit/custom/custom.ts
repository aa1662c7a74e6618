import type { Plan } from "../../plan/plan.ts";
import type { EmittedFile } from "../emitter.ts";
import type { Overrides } from "../render.ts";

/** What a user's folder of templates adds and replaces, ready to print. */
export interface CustomTemplates {
  /** Templates of ours that are printed by the user's, by name. */
  readonly overrides: Overrides;
  readonly targets: readonly CustomTarget[];
}

export interface CustomTarget {
  /** Of its folder, in the templates and in the output. */
  readonly name: string;
  emit(plan: Plan): readonly EmittedFile[];
}

export const noTemplates: CustomTemplates = { overrides: new Map(), targets: [] };

/**
 * The plan as templates see it: plain objects, in which what is not there is null, so that a template which asks for something
 * else is told of its mistake.
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

/** Properties that an object of the plan may lack. */
function absentKeys(value: object): Readonly<Record<string, null>> {
  const keys = optionalKeys.filter(([mark]) => mark in value).flatMap(([, optional]) => optional);
  return Object.fromEntries(keys.map((key) => [key, null]));
}

/** An object with the first key may have the others. */
const optionalKeys: readonly (readonly [string, readonly string[]])[] = [
  ["docs", ["deprecated"]],
  ["wireName", ["default"]],
  ["wire", ["number"]],
  ["fields", ["base"]],
  ["memberName", ["errors"]],
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
