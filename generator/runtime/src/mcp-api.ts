import { type Issue, issue, pointerOf } from "./errors.ts";
import { type Fields, hasOwn, isObject } from "./json.ts";

/* An API as data, for agents. Generated. */

export interface McpApi {
  readonly name: string;
  readonly version: string;
  readonly methods: readonly McpMethod[];
  /** By name. */
  readonly types: Readonly<Record<string, McpType>>;
  /** Documentation of services, by name. */
  readonly services?: Readonly<Record<string, string>>;
  /** Errors of the schema, by name. */
  readonly errors: Readonly<Record<string, McpError>>;
}

export interface McpMethod {
  /** `Shop.GetOrder`. */
  readonly name: string;
  readonly docs?: string;
  /** The reason for a deprecation; may be empty. */
  readonly deprecated?: string;
  /** Name of a struct. */
  readonly request: string;
  /** Name of a struct; of each item of a stream. Undefined if the response is a file. */
  readonly response?: string;
  readonly isStream?: true;
  /** Sent in addition to the request. */
  readonly files?: readonly McpFile[];
  /** Names of the errors of the schema that the method may raise. Undefined: any. */
  readonly errors?: readonly string[];
  /** The method changes nothing. */
  readonly isRead?: true;
  /** Calling twice has the same effect as calling once. */
  readonly isIdempotent?: true;
  /** The schema marks the method with `@mcp`. */
  readonly isMarked?: true;
  /** Default `POST`. */
  readonly verb?: string;
  /** With the basepath: `/rpc/pets/{id}`. */
  readonly path: string;
  /** Names of the fields that are sent in the query, in JSON and there. Undefined: the request has a body. */
  readonly query?: readonly (string | readonly [name: string, inQuery: string])[];
  /** Name of the request field with the page size. */
  readonly pageSize?: string;
}

/** A file of a request. */
export interface McpFile {
  readonly name: string;
  readonly isOptional?: true;
  readonly isList?: true;
  /** The argument whose struct has the file as a field. */
  readonly within?: string;
}

export type McpType = McpStruct | McpEnum | McpAlias;

export interface McpStruct {
  readonly kind: "struct";
  readonly docs?: string;
  readonly fields: readonly McpField[];
}

export interface McpField {
  readonly name: string;
  /** As in RIDL: `[]Item`, `map<string,Item>`. `bytes` is base64 text. */
  readonly type: string;
  readonly docs?: string;
  /** Limits of the value: `1 to 64 characters`. */
  readonly limits?: string;
  readonly isOptional?: true;
  /** In requests, null differs from absent. Responses have null instead of absent. */
  readonly isNullable?: true;
  /** The value is never shown. */
  readonly isSecret?: true;
  readonly deprecated?: string;
  /** Other names that requests may use. */
  readonly aliases?: readonly string[];
  /** Additional names in responses. */
  readonly twins?: readonly string[];
}

export interface McpEnum {
  readonly kind: "enum";
  readonly docs?: string;
  /** The texts in JSON, each with its documentation if it has one. */
  readonly values: readonly (readonly [text: string, docs?: string])[];
}

export interface McpAlias {
  readonly kind: "alias";
  readonly docs?: string;
  readonly type: string;
  readonly limits?: string;
}

export interface McpError {
  readonly code: number;
  readonly status: number;
  readonly message: string;
  /** Name of the type of its data. */
  readonly data?: string;
}

/** Returns the first sentence of a documentation. */
export function firstSentence(docs = ""): string {
  return /^.*?[.!?](?=\s|$)/.exec(docs)?.[0] ?? docs;
}

/* Finds the types of an API as data. */

/** A type as RIDL writes it, taken apart. */
type TypeShape =
  | { readonly kind: "list"; readonly item: string }
  | { readonly kind: "map"; readonly key: string; readonly value: string }
  | { readonly kind: "name"; readonly name: string };

/** `[]Item` → the list of `Item`. */
export function shapeOf(type: string): TypeShape {
  if (type.startsWith("[]")) return { kind: "list", item: type.slice(2) };
  const map = /^map<([^,]+),(.+)>$/.exec(type);
  if (map !== null) return { kind: "map", key: map[1] ?? "", value: map[2] ?? "" };
  return { kind: "name", name: type };
}

/** Returns a declared type. Undefined for built-in types. */
export function declaredType({ types }: McpApi, name: string): McpType | undefined {
  return hasOwn(types, name) ? types[name] : undefined;
}

/** Resolves aliases, which may be circular. */
export function unaliased(api: McpApi, type: string): string {
  let at = type;
  for (let level = 0; level < aliasesMax; level++) {
    const declared = declaredType(api, at);
    if (declared?.kind !== "alias") return at;
    at = declared.type;
  }
  return "any";
}

const aliasesMax = 100;

/** Returns a struct by its name or the name of an alias. Undefined for other types. */
export function structOf(api: McpApi, type: string): McpStruct | undefined {
  const declared = declaredType(api, unaliased(api, type));
  return declared?.kind === "struct" ? declared : undefined;
}

/** Returns the field that has a name in requests or responses. */
export function fieldNamed(struct: McpStruct, name: string): McpField | undefined {
  return (
    struct.fields.find((field) => field.name === name) ??
    struct.fields.find(({ aliases = [], twins = [] }) => aliases.includes(name) || twins.includes(name))
  );
}

/** Names of the types that a type refers to. */
export function typeNames(type: string): readonly string[] {
  const shape = shapeOf(type);
  if (shape.kind === "list") return typeNames(shape.item);
  return shape.kind === "map" ? [...typeNames(shape.key), ...typeNames(shape.value)] : [shape.name];
}

/* Values of an API on their way to and from an agent. JSON values contain bigints for integers beyond ±(2^53 - 1). */

function mapValues(value: Fields, change: (item: unknown, key: string) => unknown): Fields {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item, key)]));
}

/**
 * Keeps the fields that the contract declares, without those that are secret. Values that do not match their types are dropped,
 * because they could hold a secret at another place.
 */
export function visibleValue(api: McpApi, type: string, value: unknown): unknown {
  const target = unaliased(api, type);
  if (target === "any" || value === null) return value;
  const shape = shapeOf(target);
  if (shape.kind === "list")
    return Array.isArray(value) ? value.map((item) => visibleValue(api, shape.item, item)) : undefined;
  const struct = structOf(api, target);
  if (shape.kind === "name" && struct === undefined) return typeof value === "object" ? undefined : value;
  if (!isObject(value)) return undefined;
  if (shape.kind === "map") return mapValues(value, (item) => visibleValue(api, shape.value, item));
  const visible = struct?.fields.filter(({ isSecret }) => isSecret !== true) ?? [];
  const entries = visible.flatMap(({ name, twins = [], type: fieldType }) =>
    [name, ...twins].flatMap((key) =>
      hasOwn(value, key) ? [[key, visibleValue(api, fieldType, value[key])] as const] : [],
    ),
  );
  return Object.fromEntries(entries);
}

const wideTypes: ReadonlySet<string> = new Set(["int", "int64", "uint", "uint64"]);

/**
 * Returns a request as it is sent: integers that are given as text become bigints, because JSON of agents has numbers up to
 * 2^53 - 1 only. Adds an issue for each number that has lost digits, and for each field that the contract does not declare, except
 * for those at the JSON pointers `files`.
 */
export function requestValue(
  api: McpApi,
  type: string,
  value: unknown,
  issues: Issue[],
  files: ReadonlySet<string> = new Set(),
  path: readonly (string | number)[] = [],
): unknown {
  const target = unaliased(api, type);
  const shape = shapeOf(target);
  const inner = (item: unknown, itemType: string, step: string | number): unknown =>
    requestValue(api, itemType, item, issues, files, [...path, step]);
  if (shape.kind === "list")
    return Array.isArray(value) ? value.map((item, index) => inner(item, shape.item, index)) : value;
  if (shape.kind === "map")
    return isObject(value) ? mapValues(value, (item, key) => inner(item, shape.value, key)) : value;
  if (wideTypes.has(target)) {
    if (typeof value === "string" && /^-?(?:0|[1-9][0-9]{0,19})$/.test(value)) return BigInt(value);
    if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
      issues.push(
        issue(path, "an integer, as text beyond ±(2^53 - 1)", "a number that may have lost digits"),
      );
  }
  const struct = structOf(api, target);
  if (struct === undefined || !isObject(value)) return value;
  return mapValues(value, (item, key) => {
    const field = fieldNamed(struct, key);
    if (field !== undefined) return inner(item, field.type, key);
    const at = [...path, key];
    if (!files.has(pointerOf(at))) issues.push(unknownField(at, struct));
    return item;
  });
}

function unknownField(path: readonly (string | number)[], { fields }: McpStruct): Issue {
  const names = fields.map(({ name }) => name);
  const given = `${path.at(-1)}`.toLowerCase();
  const similar = names.find((name) => isSimilar(given, name.toLowerCase()));
  const hint =
    similar === undefined
      ? `the fields are: ${listNames(names)}`
      : `did you mean ${JSON.stringify(similar)}?`;
  return { ...issue(path, "a known field", "an unknown one"), message: `unknown field; ${hint}` };
}

/** Whether two words differ by one place, by two swapped characters, or only in their endings. */
export function isSimilar(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 3) return false;
  let same = 0;
  while (same < word.length && word[same] === other[same]) same++;
  let last = 0;
  while (last < word.length - same && fromEnd(word, last) === fromEnd(other, last)) last++;
  const longer = Math.max(word.length, other.length);
  const isSwapped = word[same] === other[same + 1] && word[same + 1] === other[same];
  return same + last >= longer - (isSwapped ? 2 : 1) || (same >= 5 && same >= longer - 3);
}

function fromEnd(text: string, index: number): string {
  return text.charAt(text.length - 1 - index);
}

/** The fields to keep: for each name, those inside of it. Empty: everything. */
export type Selection = ReadonlyMap<string, Selection>;

/** `["orders.id", "page"]` → the fields to keep. Returns a message if a field does not exist. */
export function selectionOf(api: McpApi, type: string, paths: readonly string[]): Selection | string {
  const root: MutableSelection = new Map();
  /** Selected as a whole, so that a path into them adds nothing. */
  const whole = new Set<MutableSelection>();
  const steps = paths.map((path) => path.split(".")).sort((one, other) => one.length - other.length);
  for (const path of steps) {
    let at = root;
    let inside = type;
    for (const step of path) {
      inside = itemOf(api, inside);
      const found = fieldType(api, inside, step);
      if (typeof found !== "string") return `"${path.join(".")}" is not in the response: ${found.message}`;
      inside = found;
      if (whole.has(at)) continue;
      const next = at.get(step) ?? new Map();
      at.set(step, next);
      at = next;
    }
    whole.add(at);
  }
  return root;
}

/** Returns the type of a field of a response. */
function fieldType(api: McpApi, type: string, name: string): string | { readonly message: string } {
  const shape = shapeOf(type);
  if (shape.kind === "map") return shape.value;
  if (type === "any") return type;
  const struct = structOf(api, type);
  if (struct === undefined) return { message: `${type} has no fields.` };
  const fields = struct.fields.filter(({ isSecret }) => isSecret !== true);
  return (
    fieldNamed({ ...struct, fields }, name)?.type ?? {
      message: `${type} has no field "${name}". It has: ${listNames(fields.map((field) => field.name))}.`,
    }
  );
}

function listNames(names: readonly string[]): string {
  const more = names.length > namesMax ? ` and ${names.length - namesMax} more` : "";
  return `${names.slice(0, namesMax).join(", ")}${more}`;
}

/** Maximum number of names in a message. */
const namesMax = 40;

type MutableSelection = Map<string, MutableSelection>;

/** A path leads into the items of a list without a step for the list. */
function itemOf(api: McpApi, type: string): string {
  const target = unaliased(api, type);
  const shape = shapeOf(target);
  return shape.kind === "list" ? itemOf(api, shape.item) : target;
}

/** Keeps the selected fields. In a map, `*` stands for every key. */
export function selectedValue(value: unknown, selection: Selection): unknown {
  if (selection.size === 0) return value;
  if (Array.isArray(value)) return value.map((item) => selectedValue(item, selection));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const inside = selection.get(key) ?? selection.get("*");
    return inside === undefined ? [] : [[key, selectedValue(item, inside)] as const];
  });
  return Object.fromEntries(entries);
}
