import type { Page, PageInputWithDefaults } from "../../../../generated/types.ts";
import {
  type SortColumn,
  type SortKey,
  sortColumns,
} from "../../../market/records/orders/collectibles-query.ts";

export interface MarketPage {
  readonly page: number;
  readonly pageSize: number;
  readonly sort: readonly SortKey[];
}

const pageSizeDefault = 30;
const pageSizeMax = 100;

/** Returns an error for the caller if the sort is invalid. */
export function readMarketPage(input: PageInputWithDefaults | undefined): MarketPage | string {
  const sort: SortKey[] = [];
  for (const { column, order } of input?.sort ?? []) {
    if (!isSortColumn(column))
      return `page.sort: unknown column "${column}"; expected one of ${sortColumns.join(", ")}`;
    if (sort.some((key) => key.column === column)) return `page.sort: "${column}" is given twice`;
    sort.push({ column, order });
  }
  return {
    page: Math.max(Number(input?.page ?? 1), 1),
    pageSize: Math.min(Number(input?.pageSize ?? 0) || pageSizeDefault, pageSizeMax),
    sort,
  };
}

function isSortColumn(column: string): column is SortColumn {
  return sortColumns.some((one) => one === column);
}

export function servedPage({ page, pageSize, sort }: MarketPage, more: boolean): Page {
  return { page, pageSize, more, sort: [...sort] };
}
