import type { PlannedMethod } from "../../codegen/plan/plan.ts";
import type { TypeFinder } from "../../codegen/plan/type-finder.ts";

/** The fields of a request that cut a list. */
export interface Paging {
  readonly size: string;
  readonly page: string;
  /** Number of the first page. */
  readonly first: number;
  /** Entries of a page where the caller does not say; undefined: not known. */
  readonly usual: number | undefined;
  readonly most: number;
}

/** `@paging:"size,page"`: the names of the fields that say how many, and which page. */
export function pagingOf(method: PlannedMethod, types: TypeFinder): Paging | undefined {
  const [size, page] =
    method.annotations
      .get("paging")
      ?.split(",")
      .map((name) => name.trim()) ?? [];
  if (size === undefined || page === undefined) return undefined;
  const { fields } = types.struct(method.request.typeName);
  const [sizeField, pageField] = [size, page].map((name) => fields.find(({ wireName }) => wireName === name));
  if (sizeField === undefined || pageField === undefined) return undefined;
  return {
    size,
    page,
    first: Number(pageField.default ?? pageField.constraints.minimum ?? 0),
    usual: sizeField.default === undefined ? undefined : Number(sizeField.default),
    most: Number(sizeField.constraints.maximum ?? 1_000),
  };
}
