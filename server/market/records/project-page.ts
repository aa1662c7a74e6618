/** Plans the pages of a project's lists, by page number or by cursor: turns a request into a plan, or into an error message. */
import { RequestRejection } from "../../base/request-rejection.ts";
import type { Queries } from "../../base/storage/database.ts";

const columns = ["id", "name", "createdAt", "updatedAt"] as const;
type Column = (typeof columns)[number];
type Order = "ASC" | "DESC";

interface PageInput {
  readonly pageSize?: number | undefined;
  readonly page?: number | undefined;
  readonly column?: string | undefined;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly sort?: readonly { readonly column: string; readonly order?: Order | undefined }[] | undefined;
}

interface SortKey {
  readonly column: Column;
  readonly order: Order;
}

interface NumberedPlan {
  readonly kind: "numbered";
  readonly pageSize: number;
  /** From 1. */
  readonly page: number;
  readonly sort: readonly SortKey[];
}

interface CursorPlan {
  readonly kind: "cursor";
  readonly pageSize: number;
  readonly column: Column;
  /** Undefined for the first page. */
  readonly from: Cursor | undefined;
}

interface Cursor {
  readonly direction: "after" | "before";
  readonly value: string | number;
  /** Breaks ties. Without an id, all entries with this value are skipped. */
  readonly id: number | undefined;
}

export type PagePlan = NumberedPlan | CursorPlan;

/** Default and largest page size, as in the contract. */
const defaultPageSize = 30;
const maxPageSize = 100;

/** Throws RequestRejection. */
export function planPage(input: PageInput = {}): PagePlan {
  const pageSize = Math.min(input.pageSize || defaultPageSize, maxPageSize);
  const named = input.column === "" ? undefined : input.column;
  if (named !== undefined && !isColumn(named)) throw unknownColumn("/page/column", named);
  const sort = readSort(input.sort ?? [], columns);
  const direction = isGiven(input.after) ? "after" : isGiven(input.before) ? "before" : undefined;
  if (direction !== undefined) {
    const { column, value, id } = readCursor(`/page/${direction}`, input[direction], named);
    return { kind: "cursor", pageSize, column, from: { direction, value, id } };
  }
  if (named !== undefined && input.page === undefined && sort.length === 0)
    return { kind: "cursor", pageSize, column: named, from: undefined };
  const keys = sort.length > 0 || named === undefined ? sort : [{ column: named, order: "ASC" } as const];
  return { kind: "numbered", pageSize, page: input.page || 1, sort: keys };
}

/** Reads the sort of a page, whose columns are unique. Throws RequestRejection. */
export function readSort<Name extends string>(
  sort: readonly { readonly column: string; readonly order?: Order | undefined }[],
  columns: readonly Name[],
): readonly { readonly column: Name; readonly order: Order }[] {
  return sort.map(({ column, order = "ASC" }, index) => {
    const at = `/page/sort/${index}/column`;
    const known = columns.find((name) => name === column);
    if (known === undefined) throw unknownColumn(at, column, columns);
    if (sort.slice(0, index).some((key) => key.column === column))
      throw new RequestRejection(`${at}: "${column}" appears twice`);
    return { column: known, order };
  });
}

interface ReadCursor {
  readonly column: Column;
  readonly value: string | number;
  readonly id: number | undefined;
}

/** `41`, `"2025-01-31T12:00:00Z"`, or `{"createdAt": "2025-01-31T12:00:00Z", "id": 41}`. */
function readCursor(at: string, cursor: unknown, named: Column | undefined): ReadCursor {
  if (typeof cursor !== "object" || cursor === null || Array.isArray(cursor))
    return readValue(at, named ?? "id", cursor, undefined);
  const keys = Object.keys(cursor);
  const column = named ?? keys.find((key) => key !== "id") ?? "id";
  if (!isColumn(column)) throw unknownColumn(at, column);
  const extra = keys.find((key) => key !== column && key !== "id");
  if (extra !== undefined)
    throw new RequestRejection(`${at}: unexpected "${extra}" in a cursor on "${column}"`);
  const values = cursor as Readonly<Record<string, unknown>>;
  return readValue(at, column, values[column], column === "id" ? undefined : values["id"]);
}

function readValue(at: string, column: Column, value: unknown, tie: unknown): ReadCursor {
  const id = isGiven(tie) ? readId(`${at}/id`, tie) : undefined;
  if (column === "id") return { column, value: readId(at, value), id: undefined };
  if (typeof value !== "string" || value.includes("\0"))
    throw new RequestRejection(`${at}: expected a text for ${column}`);
  if (column !== "name" && !isTimestamp(value))
    throw new RequestRejection(`${at}: expected a timestamp for ${column}, such as 2025-01-31T12:00:00Z`);
  return { column, value, id };
}

function readId(at: string, value: unknown): number {
  const id = typeof value === "string" && /^[0-9]{1,16}$/.test(value) ? Number(value) : value;
  if (typeof id === "number" && Number.isSafeInteger(id) && id >= 0) return id;
  throw new RequestRejection(`${at}: expected the id of a record`);
}

function isColumn(name: string): name is Column {
  return (columns as readonly string[]).includes(name);
}

function unknownColumn(at: string, name: string, known: readonly string[] = columns): RequestRejection {
  return new RequestRejection(`${at}: unknown column "${name}"; expected ${known.join(", ")}`);
}

function isGiven(cursor: unknown): boolean {
  return cursor !== undefined && cursor !== null;
}

export interface PagedList {
  /** `select … from … where …`. Its parameters come first; paging appends conditions, order and limit. */
  readonly select: string;
  readonly values: readonly unknown[];
  /** SQL expression of each column, and the type that a cursor value is cast to. */
  readonly columns: Readonly<Record<Column, { readonly sql: string; readonly type: string }>>;
  /** `select … from page`: selects from the rows of the page. Default: all of them. */
  readonly shown?: string;
}

export interface PagedRow {
  readonly id: number;
  readonly name: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The page object of the response, as in the contract. */
export interface ServedPage {
  readonly pageSize: number;
  readonly page?: number;
  readonly column?: Column;
  readonly more: boolean;
  readonly before?: Readonly<Record<string, string | number>>;
  readonly after?: Readonly<Record<string, string | number>>;
  readonly sort: SortKey[];
}

/** Fetches one row more than the page holds, to know whether another page follows. */
export async function queryPage<Row extends PagedRow>(
  queries: Queries,
  { select, values, columns, shown }: PagedList,
  plan: PagePlan,
): Promise<{ readonly rows: readonly Row[]; readonly page: ServedPage }> {
  const added: unknown[] = [];
  const bind = (value: unknown): string => `$${values.length + added.push(value)}`;
  const sorted = sortOf(plan);
  const isBackwards = plan.kind === "cursor" && plan.from?.direction === "before";
  const order = sorted.map((key) => `${columns[key.column].sql} ${sqlDirection(key.order, isBackwards)}`);
  const condition = plan.kind === "cursor" ? cursorCondition(plan, columns, bind) : "";
  const limit = bind(plan.pageSize + 1);
  const offset = plan.kind === "numbered" ? ` offset ${bind((plan.page - 1) * plan.pageSize)}` : "";
  const page = `${select}${condition} order by ${order.join(", ")} limit ${limit}${offset}`;
  const text = shown === undefined ? page : `with page as materialized (${page}) ${shown}`;
  const found = await queries.query<Row>(text, [...values, ...added]);
  const rows = found.slice(0, plan.pageSize);
  if (isBackwards) rows.reverse();
  return { rows, page: servedPage(plan, rows, found.length > rows.length) };
}

/** Adds the id as the last sort key, so that the order is total. */
function sortOf(plan: PagePlan): readonly SortKey[] {
  const keys: readonly SortKey[] =
    plan.kind === "cursor" ? [{ column: plan.column, order: "ASC" }] : plan.sort;
  return keys.some(({ column }) => column === "id") ? keys : [...keys, { column: "id", order: "ASC" }];
}

function sqlDirection(order: "ASC" | "DESC", isBackwards: boolean): string {
  return (order === "ASC") === isBackwards ? "desc" : "asc";
}

function cursorCondition(
  { column, from }: Extract<PagePlan, { kind: "cursor" }>,
  columns: PagedList["columns"],
  bind: (value: unknown) => string,
): string {
  if (from === undefined) return "";
  const sign = from.direction === "after" ? ">" : "<";
  const { sql, type } = columns[column];
  const value = `${bind(from.value)}::${type}`;
  return from.id === undefined
    ? ` and ${sql} ${sign} ${value}`
    : ` and (${sql}, ${columns.id.sql}) ${sign} (${value}, ${bind(from.id)}::bigint)`;
}

function servedPage(plan: PagePlan, rows: readonly PagedRow[], more: boolean): ServedPage {
  const { pageSize } = plan;
  if (plan.kind === "numbered") return { pageSize, page: plan.page, more, sort: [...plan.sort] };
  const { column } = plan;
  const [first] = rows;
  const last = rows.at(-1);
  return {
    pageSize,
    column,
    more,
    ...(first === undefined ? {} : { before: cursorAt(first, column) }),
    ...(last === undefined ? {} : { after: cursorAt(last, column) }),
    sort: [],
  };
}

function cursorAt(row: PagedRow, column: Column): Readonly<Record<string, string | number>> {
  return { [column]: row[column], id: row.id };
}

const pattern =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?(Z|[+-]([0-9]{2}):[0-9]{2})$/;

/** Largest UTC offset that Postgres accepts, in whole hours. */
const maxOffsetHours = 15;

/** Whether a text is an RFC 3339 timestamp that Postgres can store: an existing day, in year 1 or later. */
export function isTimestamp(text: string): boolean {
  const [, day = "", , , offsetHours = "0"] = pattern.exec(text) ?? [];
  if (day === "" || day.startsWith("0000") || Number(offsetHours) > maxOffsetHours) return false;
  // JavaScript parses February 30 as March 2.
  return !Number.isNaN(Date.parse(text)) && new Date(day).toISOString().startsWith(day);
}
