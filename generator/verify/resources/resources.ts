import { isJsonObject, type Json } from "../../codegen/plan/json.ts";
import type {
  FieldPath,
  Plan,
  PlannedField,
  PlannedMethod,
  PlannedPaging,
  PlannedService,
  PlannedStruct,
} from "../../codegen/plan/plan.ts";

export type Role = "create" | "get" | "list" | "update" | "delete";

export interface RoleMethod {
  readonly service: PlannedService;
  readonly method: PlannedMethod;
}

/** The methods that manage one kind of record, found by their annotations: `@create:Pet`, `@get:Pet`, `@list:Pet`, … */
export interface Resource extends Partial<Readonly<Record<Role, RoleMethod>>> {
  /** Name of the struct of the record. */
  readonly record: string;
  /** Names of the key fields: those that both the request of `get` and the record have. */
  readonly keys: readonly string[];
}

export const roles: readonly Role[] = ["create", "get", "list", "update", "delete"];

export function resourcesOf(plan: Plan): readonly Resource[] {
  const found = new Map<string, Partial<Record<Role, RoleMethod>>>();
  for (const service of plan.services)
    for (const method of service.methods)
      for (const role of roles) {
        const record = method.annotations.get(role);
        if (record !== undefined) found.set(record, { ...found.get(record), [role]: { service, method } });
      }
  const types = plan.finder;
  return [...found].flatMap(([record, methods]): Resource[] => {
    if (!plan.types.some((type) => type.kind === "struct" && type.name === record)) return [];
    const fields = new Set(types.struct(record).fields.map(({ wireName }) => wireName));
    const keyMethod = methods.get?.method ?? methods.delete?.method;
    const keys =
      keyMethod === undefined
        ? []
        : types
            .struct(keyMethod.request.typeName)
            .fields.map(({ wireName }) => wireName)
            .filter((name) => fields.has(name));
    return [{ record, keys, ...methods }];
  });
}

/** The field of a response that contains the record. */
export function recordField(plan: Plan, { record }: Resource, typeName: string): string | undefined {
  const types = plan.finder;
  return types.struct(typeName).fields.find(({ type }) => {
    const resolved = types.unaliased(type);
    return resolved.kind === "struct" && resolved.name === record;
  })?.wireName;
}

/** The path to the list of records, or of structs derived from them with their keys, in a response of `list`: a field of the response, or the list of `@paging`. */
export function recordsPath(
  plan: Plan,
  { record, keys }: Resource,
  { response, paging }: PlannedMethod,
): FieldPath | undefined {
  const isList = (field: PlannedField): boolean => {
    const item = itemStruct(plan, field);
    if (item === undefined || item.name === record) return item !== undefined;
    const names = item.fields.map(({ wireName }) => wireName);
    return item.derivedFrom === record && keys.every((key) => names.includes(key));
  };
  const field = plan.finder.struct(response.typeName).fields.find(isList);
  if (field !== undefined) return [field];
  return paging?.items?.slice(-1).some(isList) ? paging.items : undefined;
}

function itemStruct({ finder }: Plan, { type }: PlannedField): PlannedStruct | undefined {
  const list = finder.unaliased(type);
  const item = list.kind === "list" ? finder.unaliased(list.element) : undefined;
  return item?.kind === "struct" ? finder.struct(item.name) : undefined;
}

/** A record as a list returns it: with the fields of the items, which may be derived from the record. */
export function listedRecord<Value>(plan: Plan, path: FieldPath, record: Fields<Value>): Fields<Value> {
  const names = path
    .slice(-1)
    .flatMap((field) =>
      (itemStruct(plan, field)?.fields ?? []).flatMap(({ wireName, twins }) => [wireName, ...twins]),
    );
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

/** The record in a response: the response itself, or one of its fields. */
export function recordIn(
  plan: Plan,
  resource: Resource,
  { response }: PlannedMethod,
  body: unknown,
): Readonly<Record<string, Json>> | undefined {
  if (response.typeName === resource.record) return isJsonObject(body) ? body : undefined;
  const field = recordField(plan, resource, response.typeName);
  const value = field === undefined || !isJsonObject(body) ? undefined : body[field];
  return isJsonObject(value) ? value : undefined;
}

/** The records in a response of `list`. */
export function recordsIn(
  plan: Plan,
  resource: Resource,
  method: PlannedMethod,
  body: unknown,
): readonly Readonly<Record<string, Json>>[] | undefined {
  const path = recordsPath(plan, resource, method);
  const value = path === undefined || !isJsonObject(body) ? undefined : valueAt(path, body);
  return Array.isArray(value) ? value.filter(isJsonObject) : undefined;
}

export function keyOf(
  { keys }: Resource,
  record: Readonly<Record<string, Json>>,
): Readonly<Record<string, Json>> {
  return Object.fromEntries(keys.map((name) => [name, record[name] ?? null]));
}

type Fields<Value = unknown> = Readonly<Record<string, Value>>;

/** Default page size; undefined if unknown. */
export function defaultSizeOf({ size }: PlannedPaging): number | undefined {
  const value = size.at(-1)?.default;
  return value === undefined ? undefined : Number(value);
}

export function maxSizeOf({ size }: PlannedPaging): number {
  return Number(size.at(-1)?.constraints.maximum ?? 1_000);
}

/** Returns the request of the first page with this size. */
export function firstRequest({ size }: PlannedPaging, entries: number): Fields<Json> {
  return withValueAt<Json>(size, {}, entries);
}

/** Returns the request of the page after a response with this many entries. Undefined after the last page. */
export function nextRequest(
  paging: PlannedPaging,
  request: Fields<Json>,
  { response, entries }: { readonly response: unknown; readonly entries: number },
): Fields<Json> | undefined {
  const { page, more, isCursor } = paging;
  const follows = more === undefined ? entries > 0 : valueAt(more, response);
  if (!follows) return undefined;
  if (isCursor) return withValueAt<Json>(page, request, follows as Json);
  const number = Number(valueAt(page, request) || paging.firstPage);
  return withValueAt<Json>(page, request, number + 1);
}

/** Returns the value at a path. Undefined if a struct on the path is absent. */
export function valueAt(path: FieldPath, body: unknown): unknown {
  let at = body;
  for (const { wireName } of path) at = (at as Fields | null | undefined)?.[wireName];
  return at;
}

/** Returns a copy of a body with another value at a path. */
export function withValueAt<Value>([field, ...inner]: FieldPath, body: unknown, value: Value): Fields<Value> {
  const fields = body as Fields<Value>;
  if (field === undefined) return fields;
  const { wireName } = field;
  const own = inner.length === 0 ? value : withValueAt(inner, fields?.[wireName], value);
  return { ...fields, [wireName]: own as Value };
}
