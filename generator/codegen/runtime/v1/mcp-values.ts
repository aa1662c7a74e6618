/** Values of an API on their way to and from an agent. JSON values contain bigints for integers beyond ±(2^53 - 1). */
import { type Issue, issue } from "./issue.ts";
import type { McpApi } from "./mcp-api.ts";
import { fieldNamed, shapeOf, structOf, unaliased } from "./mcp-types.ts";
import { hasOwn } from "./own-property.ts";

type ObjectFields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is ObjectFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapValues(value: ObjectFields, change: (item: unknown, key: string) => unknown): ObjectFields {
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
 * 2^53 - 1 only. Adds an issue for each number that has lost digits.
 */
export function requestValue(
  api: McpApi,
  type: string,
  value: unknown,
  issues: Issue[],
  path: readonly (string | number)[] = [],
): unknown {
  const target = unaliased(api, type);
  const shape = shapeOf(target);
  const inner = (item: unknown, itemType: string, step: string | number): unknown =>
    requestValue(api, itemType, item, issues, [...path, step]);
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
    return field === undefined ? item : inner(item, field.type, key);
  });
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
  const names = fields.slice(0, namesMax).map((field) => field.name);
  const more = fields.length > namesMax ? ` and ${fields.length - namesMax} more` : "";
  return (
    fieldNamed({ ...struct, fields }, name)?.type ?? {
      message: `${type} has no field "${name}". It has: ${names.join(", ")}${more}.`,
    }
  );
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
