import { constraintKey } from "../../codegen/plan/constraints.ts";
import type { PlannedField, PlannedMethod } from "../../codegen/plan/plan.ts";
import type { TypeFinder } from "../../codegen/plan/type-finder.ts";
import type { Constraints } from "../../language/model/meta/read.ts";
import type { Fields } from "./answers.ts";
import { put } from "./shelf.ts";

/**
 * A response with the values that the request named: `GetRoom(id: 3)` returns the room 3, `CreateRoom(room: { name: "Blue" })` a room
 * of that name, and `ListSeats(roomId: 3)` seats of the room 3. Only values that the response allows are taken over.
 */
export function echo(types: TypeFinder, method: PlannedMethod, request: Fields, response: Fields): Fields {
  const given = givenBy(types, method.request.typeName, request);
  const echoed: Record<string, unknown> = { ...response };
  const { fields } = types.struct(method.response.typeName);
  takeOver(types, echoed, fields, given);
  const main = mainField(types, method, fields);
  for (const field of fields) {
    const end = types.unaliased(field.type);
    const value = own(echoed, field);
    if (end.kind === "struct" && isFields(value))
      put(echoed, field, withGiven(types, end.name, value, field === main ? given : references(given)));
    if (end.kind !== "list" || !Array.isArray(value)) continue;
    const element = types.unaliased(end.element);
    if (element.kind !== "struct") continue;
    const shared = references(given, `${element.name}id`);
    put(
      echoed,
      field,
      value.map((one) => (isFields(one) ? withGiven(types, element.name, one, shared) : one)),
    );
  }
  return echoed;
}

/** A value of the request, with the type of its field. */
interface Given {
  readonly field: PlannedField;
  readonly value: unknown;
}

/** What the request names itself, and in the structs that it holds. */
function givenBy(types: TypeFinder, typeName: string, request: Fields): readonly Given[] {
  const { fields } = types.struct(typeName);
  const of = (field: PlannedField): readonly Given[] => {
    const value = own(request, field);
    if (value === undefined || value === null) return [];
    const end = types.unaliased(field.type);
    if (end.kind === "core" || end.kind === "enum") return [{ field, value }];
    return end.kind === "struct" && isFields(value)
      ? types.struct(end.name).fields.flatMap((inner) => {
          const innerEnd = types.unaliased(inner.type);
          const innerValue = own(value, inner) ?? null;
          return innerValue !== null && (innerEnd.kind === "core" || innerEnd.kind === "enum")
            ? [{ field: inner, value: innerValue }]
            : [];
        })
      : [];
  };
  return fields.flatMap(of);
}

/** The struct that a method is about: of several the one that the method's name contains, or else the first. */
function mainField(
  types: TypeFinder,
  { name }: PlannedMethod,
  fields: readonly PlannedField[],
): PlannedField | undefined {
  const structs = fields.filter(({ type }) => types.unaliased(type).kind === "struct");
  return structs.find(({ wireName }) => name.toLowerCase().includes(wireName.toLowerCase())) ?? structs[0];
}

/** Keys of other records, as `roomId`: they mean the same wherever they stand. */
function references(given: readonly Given[], but?: string): readonly Given[] {
  return given.filter(
    ({ field: { wireName } }) => /.(Id|ID|_id)$/.test(wireName) && plainName(wireName) !== but?.toLowerCase(),
  );
}

function withGiven(types: TypeFinder, typeName: string, value: Fields, given: readonly Given[]): Fields {
  const changed: Record<string, unknown> = { ...value };
  const { fields } = types.struct(typeName);
  takeOver(types, changed, fields, given);
  // `roomId` of the request is the `id` of a room.
  const key = fields.find(({ wireName }) => wireName.toLowerCase() === "id");
  const record = given.find(({ field }) => plainName(field.wireName) === `${typeName.toLowerCase()}id`);
  if (key !== undefined && record !== undefined && fits(types, key, record)) put(changed, key, record.value);
  return changed;
}

function takeOver(
  types: TypeFinder,
  record: Record<string, unknown>,
  fields: readonly PlannedField[],
  given: readonly Given[],
): void {
  for (const field of fields) {
    const one = given.find(({ field: { wireName } }) => wireName === field.wireName);
    if (one !== undefined && fits(types, field, one)) put(record, field, one.value);
  }
}

function fits(types: TypeFinder, { type, constraints }: PlannedField, { field, value }: Given): boolean {
  if (JSON.stringify(types.unaliased(type)) !== JSON.stringify(types.unaliased(field.type))) return false;
  return constraintKey(constraints) === constraintKey(field.constraints) || keeps(value, constraints);
}

/** Whether a value keeps to rules that its own field does not have. */
function keeps(value: unknown, constraints: Constraints): boolean {
  const { minLength = 0, maxLength, pattern, minimum, maximum, normalize } = constraints;
  if (typeof value === "string") {
    const length = [...value].length;
    if (length < minLength || length > (maxLength ?? length)) return false;
    if (normalize === "lowercase" && value !== value.toLowerCase()) return false;
    return pattern === undefined || new RegExp(pattern, "u").test(value);
  }
  if (typeof value !== "number" && typeof value !== "bigint") return pattern === undefined;
  return (
    (minimum === undefined || value >= Number(minimum)) && (maximum === undefined || value <= Number(maximum))
  );
}

/** A field may be named `constructor`, which every object has. */
function own(values: Fields, { wireName }: PlannedField): unknown {
  return Object.hasOwn(values, wireName) ? values[wireName] : undefined;
}

function plainName(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

function isFields(value: unknown): value is Fields {
  const prototype: unknown = typeof value === "object" && value !== null && Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
