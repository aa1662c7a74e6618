import type { PagingModel } from "../../language/model/paging.ts";
import type { ResolvedType } from "../../language/model/types.ts";
import { fieldsOn } from "./field-path.ts";
import type { PlannedField, PlannedPaging } from "./plan.ts";
import type { TypeFinder } from "./type-finder.ts";
import { coreTypeText, type ValueForms } from "./value-forms.ts";

/** Finds the fields of a paged list in the request and the response of its method. */
export function planPaging(
  { size, page, more, items, isCursor }: PagingModel,
  { request, response }: { readonly request: string; readonly response: string },
  { finder, ...forms }: ValueForms & { readonly finder: TypeFinder },
): PlannedPaging {
  const pageFields = fieldsOn(page, request, finder);
  const list = items && fieldsOn(items, response, finder);
  const field = pageFields.at(-1) as PlannedField;
  const type = finder.unaliased(field.type);
  const isBigint = type.kind === "core" && coreTypeText(type.name, forms) === "bigint";
  const first = field.default ?? field.constraints.minimum ?? 0;
  const listType = list?.at(-1)?.type;
  const { element } = listType === undefined ? {} : (finder.unaliased(listType) as ListType);
  return {
    size: fieldsOn(size, request, finder),
    page: pageFields,
    isCursor,
    firstPage: isCursor ? 0 : isBigint ? BigInt(first as number) : Number(first),
    ...(more && { more: fieldsOn(more, response, finder) }),
    ...(list && element && { items: list, item: element }),
  };
}

type ListType = Partial<Extract<ResolvedType, { readonly kind: "list" }>>;
