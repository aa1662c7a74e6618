import type { PagingModel, Path } from "../../language/model/paging.ts";
import type { ResolvedType } from "../../language/model/types.ts";
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

/** Returns the fields of a path, which exists: the reader of the annotation has checked it. */
function fieldsOn(path: Path, typeName: string, finder: TypeFinder): readonly PlannedField[] {
  const fields: PlannedField[] = [];
  let struct = typeName;
  for (const name of path) {
    const field = finder.struct(struct).fields.find(({ wireName }) => wireName === name) as PlannedField;
    fields.push(field);
    const type = finder.unaliased(field.type);
    if (type.kind === "struct") struct = type.name;
  }
  return fields;
}
