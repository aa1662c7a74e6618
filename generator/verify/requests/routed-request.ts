import { isJsonObject, type Json } from "../../codegen/plan/json.ts";
import type {
  PlannedField,
  PlannedMethod,
  PlannedRoute,
  RouteField,
  TypeFinder,
} from "../../codegen/plan/plan.ts";
import { fieldsOf, unionsOf } from "../../codegen/plan/unions.ts";

/** The HTTP request of a call. */
export interface CallRequest {
  /** Undefined on a default path, where all calls use POST. */
  readonly verb?: string;
  /** With the query: `/rpc/pets?limit=20`. */
  readonly path: string;
  /** Undefined if the request has no body. */
  readonly body?: Json;
}

/**
 * Longest path with its query, in characters. Servers and proxies reject longer ones: many read at most 8 KiB for the first
 * line of a request, and Node.js reads 16 KiB for all headers.
 */
const maxPathLength = 7_000;

/** Returns the request of a call, or undefined if the URL of its route cannot hold the values. */
export function callRequest(types: TypeFinder, method: PlannedMethod, body: Json): CallRequest | undefined {
  const { path, route } = method;
  return route === undefined ? { path, body } : routedRequest(types, method, route, body);
}

function routedRequest(
  types: TypeFinder,
  { request }: PlannedMethod,
  { verb, path: template, parameters, query }: PlannedRoute,
  body: Json,
): CallRequest | undefined {
  if (!isJsonObject(body)) return undefined;
  const { fields } = types.struct(request.typeName);
  const named = withFieldNames(fields, body);
  const textsOf = ({ name }: RouteField): readonly string[] | undefined =>
    urlTexts(
      Object.hasOwn(named, name) ? named[name] : undefined,
      fields.find(({ wireName }) => wireName === name),
      types,
    );
  const segments = parameters.map((parameter) => segmentOf(textsOf(parameter)));
  const pairs = query?.map((field) => [field.queryName ?? field.name, textsOf(field)] as const) ?? [];
  // In a query, an empty list is an absent field, and its union lacks a case.
  const inUnions = unionsOf({ fields }, types).flatMap(fieldsOf);
  const inQuery = new Set(query?.map(({ name }) => name));
  if (inUnions.some(({ wireName }) => inQuery.has(wireName) && isEmptyList(named[wireName])))
    return undefined;
  if (segments.includes(undefined) || pairs.some(([, texts]) => texts === undefined)) return undefined;
  let index = 0;
  const path = template.replace(/\{\w+\}/g, () => segments[index++] ?? "");
  if (query === undefined) return checked({ verb, path, body: named });
  const known = new Set([...parameters, ...query].map(({ name }) => name));
  const unknown = Object.entries(named)
    .filter(([name]) => !known.has(name))
    .map(([name, value]) => [name, urlTexts(value, undefined, types)] as const);
  const search = [...pairs, ...unknown]
    .flatMap(([name, texts = []]) => texts.map((text) => `${encodeURIComponent(name)}=${encoded(text)}`))
    .join("&");
  return checked({ verb, path: search === "" ? path : `${path}?${search}` });
}

function isEmptyList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Renames aliases: URLs have the names of fields only. */
function withFieldNames(
  fields: readonly PlannedField[],
  body: Readonly<Record<string, Json>>,
): Readonly<Record<string, Json>> {
  const nameOf = (key: string): string => {
    const field = fields.find(({ wireName, aliases }) => wireName !== key && aliases.includes(key));
    return field === undefined || Object.hasOwn(body, field.wireName) ? key : field.wireName;
  };
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [nameOf(key), value]));
}

/** Returns the texts of a value: none if it is absent. Returns undefined for a value that is not a scalar or a list of scalars. */
function urlTexts(
  value: Json | undefined,
  field: PlannedField | undefined,
  types: TypeFinder,
): readonly string[] | undefined {
  if (value === undefined || value === null) return [];
  const items: readonly Json[] = Array.isArray(value) ? value : [value];
  if (items.some((item) => typeof item === "object")) return undefined;
  const texts = items.map((item) => (field === undefined ? String(item) : urlText(item, field, types)));
  return texts.some((text) => /\p{Surrogate}/u.test(text)) ? undefined : texts;
}

/** URLs have the names of enum values, and not their numbers. */
function urlText(value: Json, { type }: PlannedField, types: TypeFinder): string {
  const target = types.unaliased(type);
  const item = target.kind === "list" ? types.unaliased(target.element) : target;
  if (item.kind !== "enum" || typeof value !== "number") return String(value);
  const known = types.enum(item.name).values.find(({ number }) => Number(number) === value);
  return known?.wire ?? String(value);
}

/** URLs drop the segments `.` and `..`, however they are encoded. */
function segmentOf(texts: readonly string[] | undefined): string | undefined {
  const [text = ""] = texts ?? [];
  return ["", ".", ".."].includes(text) ? undefined : encoded(text);
}

/** Also encodes the characters that a shell or a form reads: `'`, `(`, `)`, `!` and `*`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /['()!*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function checked(request: CallRequest): CallRequest | undefined {
  return request.path.length <= maxPathLength ? request : undefined;
}

/** Longest path with its query by which servers must serve a read, in bytes. */
const maxTargetLength = 2_000;

/** Returns the requests of a read without a route: by GET, unless it is too long for a URL, and by QUERY. */
export function readRequests(path: string, body: Json): readonly CallRequest[] {
  const target = `${path}?q=${encoded(JSON.stringify(body))}`;
  const byQuery = { verb: "QUERY", path, body };
  return target.length > maxTargetLength ? [byQuery] : [{ verb: "GET", path: target }, byQuery];
}
