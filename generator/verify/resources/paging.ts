import type { PlannedMethod } from "../../codegen/plan/plan.ts";
import type { TypeFinder } from "../../codegen/plan/type-finder.ts";

/** The request fields that select a page of a list. */
export interface Paging {
  readonly sizeField: string;
  readonly pageField: string;
  /** Number of the first page. */
  readonly firstPage: number;
  /** Default page size; undefined if unknown. */
  readonly defaultSize: number | undefined;
  readonly maxSize: number;
}

/** Reads `@paging:"size,page"`: the names of the fields for the page size and the page number. */
export function pagingOf(method: PlannedMethod, types: TypeFinder): Paging | undefined {
  const [sizeName, pageName] =
    method.annotations
      .get("paging")
      ?.split(",")
      .map((name) => name.trim()) ?? [];
  if (sizeName === undefined || pageName === undefined) return undefined;
  const { fields } = types.struct(method.request.typeName);
  const [size, page] = [sizeName, pageName].map((name) => fields.find(({ wireName }) => wireName === name));
  if (size === undefined || page === undefined) return undefined;
  return {
    sizeField: sizeName,
    pageField: pageName,
    firstPage: Number(page.default ?? page.constraints.minimum ?? 0),
    defaultSize: size.default === undefined ? undefined : Number(size.default),
    maxSize: Number(size.constraints.maximum ?? 1_000),
  };
}
