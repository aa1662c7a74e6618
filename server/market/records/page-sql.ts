import type { Queries } from "../../base/storage/database.ts";
import type { Column, PagePlan, SortKey } from "./project-page.ts";

export interface PagedList {
  /** `select … from … where …`. Its parameters come first; paging appends conditions, order and limit. */
  readonly select: string;
  readonly values: readonly unknown[];
  /** SQL expression of each column, and the type that a cursor value is cast to. */
  readonly columns: Readonly<Record<Column, { readonly sql: string; readonly type: string }>>;
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
  { select, values, columns }: PagedList,
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
  const text = `${select}${condition} order by ${order.join(", ")} limit ${limit}${offset}`;
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
