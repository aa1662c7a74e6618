import type { Path } from "../../language/model/field-paths.ts";
import type { FieldPath, PlannedField } from "./plan.ts";
import type { TypeFinder } from "./type-finder.ts";

/** Returns the fields of a path, which exists: the reader of the annotation has checked it. */
export function fieldsOn(path: Path, typeName: string, finder: TypeFinder): FieldPath {
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
