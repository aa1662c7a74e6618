/** Pages of lists in JSON, by `@paging`. */

import type { Json } from "../../codegen/plan/json.ts";
import type { FieldPath, PlannedPaging } from "../../codegen/plan/plan.ts";

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
