import type { Json } from "../../codegen/plan/json.ts";
import type { Plan, PlannedMethod, PlannedService } from "../../codegen/plan/plan.ts";
import { TypeFinder } from "../../codegen/plan/type-finder.ts";

export type Role = "create" | "get" | "list" | "update" | "delete";

export interface RoleMethod {
  readonly service: PlannedService;
  readonly method: PlannedMethod;
}

/** The methods that keep one kind of record, as annotations say: `@create:Pet`, `@get:Pet`, `@list:Pet`, … */
export interface Resource extends Partial<Readonly<Record<Role, RoleMethod>>> {
  /** Struct of the record. */
  readonly record: string;
  /** Names of the fields that tell records apart: those that the request of `get` has in common with the record. */
  readonly keys: readonly string[];
}

const roles: readonly Role[] = ["create", "get", "list", "update", "delete"];

export function resourcesOf(plan: Plan): readonly Resource[] {
  const found = new Map<string, Partial<Record<Role, RoleMethod>>>();
  for (const service of plan.services)
    for (const method of service.methods)
      for (const role of roles) {
        const record = method.annotations.get(role);
        if (record !== undefined) found.set(record, { ...found.get(record), [role]: { service, method } });
      }
  const types = new TypeFinder(plan);
  return [...found].flatMap(([record, methods]): Resource[] => {
    if (!plan.types.some((type) => type.kind === "struct" && type.name === record)) return [];
    const fields = new Set(types.struct(record).fields.map(({ wireName }) => wireName));
    const asked = methods.get?.method ?? methods.delete?.method;
    const keys =
      asked === undefined
        ? []
        : types
            .struct(asked.request.typeName)
            .fields.map(({ wireName }) => wireName)
            .filter((name) => fields.has(name));
    return [{ record, keys, ...methods }];
  });
}

/** The field of an answer that is the record; undefined if none is. */
export function recordField(plan: Plan, { record }: Resource, typeName: string): string | undefined {
  const types = new TypeFinder(plan);
  return types.struct(typeName).fields.find(({ type }) => {
    const end = types.unaliased(type);
    return end.kind === "struct" && end.name === record;
  })?.wireName;
}

/** The field of an answer that is a list of records. */
export function recordsField(plan: Plan, { record }: Resource, typeName: string): string | undefined {
  const types = new TypeFinder(plan);
  return types.struct(typeName).fields.find(({ type }) => {
    const end = types.unaliased(type);
    if (end.kind !== "list") return false;
    const item = types.unaliased(end.element);
    return item.kind === "struct" && item.name === record;
  })?.wireName;
}

/** The record in an answer: the answer itself, or the field that is one. */
export function recordIn(
  plan: Plan,
  resource: Resource,
  { response }: PlannedMethod,
  answer: unknown,
): Readonly<Record<string, Json>> | undefined {
  if (response.typeName === resource.record) return isRecord(answer) ? answer : undefined;
  const field = recordField(plan, resource, response.typeName);
  const value = field === undefined || !isRecord(answer) ? undefined : answer[field];
  return isRecord(value) ? value : undefined;
}

/** The records in an answer of `list`. */
export function recordsIn(
  plan: Plan,
  resource: Resource,
  { response }: PlannedMethod,
  answer: unknown,
): readonly Readonly<Record<string, Json>>[] | undefined {
  const field = recordsField(plan, resource, response.typeName);
  const value = field === undefined || !isRecord(answer) ? undefined : answer[field];
  return Array.isArray(value) ? value.filter(isRecord) : undefined;
}

export function keyOf(
  { keys }: Resource,
  record: Readonly<Record<string, Json>>,
): Readonly<Record<string, Json>> {
  return Object.fromEntries(keys.map((name) => [name, record[name] ?? null]));
}

function isRecord(value: unknown): value is Readonly<Record<string, Json>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
