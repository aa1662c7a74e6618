import type { PlannedMethod } from "../../codegen/plan/plan.ts";
import type { TypeFinder } from "../../codegen/plan/type-finder.ts";
import { parseInt64Json } from "../../codegen/runtime/v1/int64-json.ts";
import { pointerOf } from "../../codegen/runtime/v1/issue.ts";
import { pathKey } from "../../codegen/runtime/v1/validation.ts";
import type { ResolvedType } from "../../language/model/types.ts";

/** A field that the contract does not have. Servers ignore it. */
export interface UnknownField {
  /** `/filter/limt`. */
  readonly pointer: string;
  readonly name: string;
  /** The names that the contract has in its place. */
  readonly known: readonly string[];
}

/** Most fields that are reported: a request for another method has nothing else. */
const maxReported = 10;

/** Finds the unknown fields of a valid request. */
export function unknownFields(
  types: TypeFinder,
  { request, files }: PlannedMethod,
  text: string,
): readonly UnknownField[] {
  const found: UnknownField[] = [];
  const visit = (value: unknown, type: ResolvedType, at: readonly (string | number)[]): void => {
    if (typeof value !== "object" || value === null) return;
    const target = types.unaliased(type);
    if (target.kind === "list" && Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, target.element, [...at, index]);
    } else if (target.kind === "map") {
      for (const [key, item] of Object.entries(value)) visit(item, target.value, [...at, pathKey(key)]);
    } else if (target.kind === "struct") {
      const { fields } = types.struct(target.name);
      const own = files.filter(({ within }) =>
        within === undefined ? at.length === 0 : at[0] === within.name,
      );
      const known = [...fields.map(({ wireName }) => wireName), ...own.map(({ name }) => name)];
      for (const [name, part] of Object.entries(value)) {
        const field = fields.find(({ wireName, aliases }) => wireName === name || aliases.includes(name));
        if (field !== undefined) visit(part, field.type, [...at, name]);
        else if (!known.includes(name) && found.length < maxReported)
          found.push({ pointer: pointerOf([...at, pathKey(name)]), name, known });
      }
    }
  };
  visit(parseInt64Json(text), { kind: "struct", name: request.typeName }, []);
  return found;
}
