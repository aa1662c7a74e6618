import { isMoment } from "./moment.ts";

/** Pages of a project's lists, which are asked for by number or by cursor. Pure: what was asked becomes a plan, or a fault in words. */

export const columns = ["id", "name", "createdAt", "updatedAt"] as const;
export type Column = (typeof columns)[number];
export type Order = "ASC" | "DESC";

export interface PageInput {
  readonly pageSize?: number | undefined;
  readonly page?: number | undefined;
  readonly column?: string | undefined;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly sort?: readonly { readonly column: string; readonly order?: Order | undefined }[] | undefined;
}

export interface SortKey {
  readonly column: Column;
  readonly order: Order;
}

export interface NumberedPlan {
  readonly kind: "numbered";
  readonly pageSize: number;
  /** From 1. */
  readonly page: number;
  readonly sort: readonly SortKey[];
}

export interface CursorPlan {
  readonly kind: "cursor";
  readonly pageSize: number;
  readonly column: Column;
  /** Undefined: the first page. */
  readonly from: Cursor | undefined;
}

/** A place between two entries. */
export interface Cursor {
  readonly direction: "after" | "before";
  readonly value: string | number;
  /** Breaks ties; without it all entries with that value are passed over. */
  readonly id: number | undefined;
}

export type Plan = NumberedPlan | CursorPlan;
export type Reading = { readonly plan: Plan } | { readonly fault: string };

/** Entries a page if the caller does not say, and most: what the contract promises. */
const pageSizeDefault = 30;
const pageSizeMax = 100;

export function readPage(input: PageInput = {}): Reading {
  const pageSize = Math.min(input.pageSize || pageSizeDefault, pageSizeMax);
  const named = input.column === "" ? undefined : input.column;
  if (named !== undefined && !isColumn(named)) return { fault: `page.column: ${unknownColumn(named)}` };
  const sort = readSort(input.sort ?? []);
  if ("fault" in sort) return sort;
  const direction = given(input.after) ? "after" : given(input.before) ? "before" : undefined;
  if (direction !== undefined) {
    const read = readCursor(input[direction], named);
    if ("fault" in read) return { fault: `page.${direction}: ${read.fault}` };
    const { column, value, id } = read;
    return { plan: { kind: "cursor", pageSize, column, from: { direction, value, id } } };
  }
  if (named !== undefined && input.page === undefined && sort.keys.length === 0)
    return { plan: { kind: "cursor", pageSize, column: named, from: undefined } };
  const keys =
    sort.keys.length > 0 || named === undefined ? sort.keys : [{ column: named, order: "ASC" } as const];
  return { plan: { kind: "numbered", pageSize, page: input.page || 1, sort: keys } };
}

function readSort(
  sort: NonNullable<PageInput["sort"]>,
): { readonly keys: readonly SortKey[] } | { readonly fault: string } {
  const keys: SortKey[] = [];
  for (const [index, { column, order = "ASC" }] of sort.entries()) {
    const at = `page.sort[${index}].column`;
    if (!isColumn(column)) return { fault: `${at}: ${unknownColumn(column)}` };
    if (keys.some((key) => key.column === column)) return { fault: `${at}: "${column}" is there twice` };
    keys.push({ column, order });
  }
  return { keys };
}

type CursorReading =
  | { readonly column: Column; readonly value: string | number; readonly id: number | undefined }
  | { readonly fault: string };

/** `41`, `"2025-01-31T12:00:00Z"`, or `{"createdAt": "2025-01-31T12:00:00Z", "id": 41}`. */
function readCursor(cursor: unknown, named: Column | undefined): CursorReading {
  if (typeof cursor !== "object" || cursor === null || Array.isArray(cursor))
    return readValue(named ?? "id", cursor, undefined);
  const keys = Object.keys(cursor);
  const column = named ?? keys.find((key) => key !== "id") ?? "id";
  if (!isColumn(column)) return { fault: unknownColumn(column) };
  const surplus = keys.find((key) => key !== column && key !== "id");
  if (surplus !== undefined) return { fault: `"${surplus}" is not the column, "${column}"` };
  const values = cursor as Readonly<Record<string, unknown>>;
  return readValue(column, values[column], column === "id" ? undefined : values["id"]);
}

function readValue(column: Column, value: unknown, tie: unknown): CursorReading {
  const id = tie === undefined || tie === null ? undefined : readId(tie);
  if (id === undefined && tie !== undefined && tie !== null)
    return { fault: "id: expected the id of a record" };
  if (column === "id") {
    const own = readId(value);
    return own === undefined
      ? { fault: "expected the id of a record" }
      : { column, value: own, id: undefined };
  }
  if (typeof value !== "string" || value.includes("\0")) return { fault: `expected a ${column} as text` };
  if (column !== "name" && !isMoment(value))
    return { fault: `expected a ${column}, as 2025-01-31T12:00:00Z` };
  return { column, value, id };
}

function readId(value: unknown): number | undefined {
  if (typeof value === "string" && !/^[0-9]{1,16}$/.test(value)) return undefined;
  const id = typeof value === "string" ? Number(value) : value;
  return typeof id === "number" && Number.isSafeInteger(id) && id >= 0 ? id : undefined;
}

function isColumn(name: string): name is Column {
  return (columns as readonly string[]).includes(name);
}

function unknownColumn(name: string): string {
  return `there is no column "${name}"; there are ${columns.join(", ")}`;
}

function given(cursor: unknown): boolean {
  return cursor !== undefined && cursor !== null;
}
