import type { ResumeModel } from "../../language/model/resume.ts";
import { fieldsOn } from "./field-path.ts";
import type { PlannedField, PlannedResume } from "./plan.ts";
import type { TypeFinder } from "./type-finder.ts";
import { coreTypeText, type ValueForms } from "./value-forms.ts";

/** Finds the fields with the position of a stream. */
export function planResume(
  { after, id }: ResumeModel,
  { request, response }: { readonly request: string; readonly response: string },
  { finder, ...forms }: ValueForms & { readonly finder: TypeFinder },
): PlannedResume {
  const afterFields = fieldsOn(after, request, finder);
  const type = finder.unaliased((afterFields.at(-1) as PlannedField).type);
  const form = type.kind === "core" ? coreTypeText(type.name, forms) : "string";
  return {
    after: afterFields,
    id: fieldsOn(id, response, finder),
    form: form === "number" || form === "bigint" ? form : "string",
  };
}
