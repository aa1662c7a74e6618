/** Values of the versions of a history: random ones, valid or not, and as an edit converts them. */
import type { Random } from "../../../support/random.ts";
import {
  type Edit,
  enumOf,
  type Fields,
  type Schema,
  structOf,
  type Type,
  type Value,
} from "./random-history.ts";

/** Returns a valid value. `isRequest`: as a client sends it, so that fields with a default may be absent. */
export function randomValue(
  random: Random,
  type: Type,
  schema: Schema,
  isRequest: boolean,
  depth = 0,
): Value {
  const inner = (of: Type): Value => randomValue(random, of, schema, isRequest, depth + 1);
  const items = depth > 3 ? 0 : random.below(3);
  switch (type.kind) {
    case "string":
      return "abcdefgh".slice(0, random.below(9));
    case "bool":
      return random.chance(50);
    case "int32":
      return random.pick([0, -1, 7, 2 ** 31 - 1, -(2 ** 31)]);
    case "int64":
      return random.pick([0, -1, 7, 123_456, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER]);
    case "enum":
      return random.pick(enumOf(schema, type.id).values);
    case "list":
      return Array.from({ length: items }, () => inner(type.item));
    case "map":
      return Object.fromEntries(
        Array.from({ length: items }, (_, index) => [`key${index}`, inner(type.item)]),
      );
    case "struct": {
      const fields = structOf(schema, type.id).fields.filter(
        ({ optional, default: value }) =>
          !(optional || (isRequest && value !== undefined)) || random.chance(60),
      );
      return Object.fromEntries(
        fields.map(({ name, type: fieldType, maxLength = 8 }) => {
          const value = inner(fieldType);
          return [
            name,
            typeof value === "string" && fieldType.kind === "string" ? value.slice(0, maxLength) : value,
          ];
        }),
      );
    }
  }
}

/** Fills in the defaults of a request. */
export function withDefaults(value: Value, type: Type, schema: Schema): Value {
  return mapStructs(value, type, schema, (fields, id) => {
    const missing = structOf(schema, id).fields.filter(
      (field) => field.default !== undefined && fields[field.name] === undefined,
    );
    return { ...fields, ...Object.fromEntries(missing.map((field) => [field.name, field.default])) };
  });
}

/** Converts a value by one edit. `schema`: the one that the value belongs to. */
export function converted(
  value: Value,
  type: Type,
  schema: Schema,
  edit: Edit,
  direction: "up" | "down",
): Value {
  return mapStructs(
    value,
    type,
    schema,
    (fields, id) => (id === edit.struct ? edit[direction](fields) : fields),
    (wire, id) => (id === edit.enum ? edit[direction](wire) : wire),
  );
}

/** Changes all structs and enum values inside a value, the innermost first. */
function mapStructs(
  value: Value,
  type: Type,
  schema: Schema,
  change: (fields: Fields, id: number) => Value,
  changeEnum: (wire: Value, id: number) => Value = (wire) => wire,
): Value {
  const inner = (part: Value, of: Type): Value => mapStructs(part, of, schema, change, changeEnum);
  switch (type.kind) {
    case "list":
      return (value as readonly Value[]).map((item) => inner(item, type.item));
    case "map":
      return Object.fromEntries(
        Object.entries(value as Fields).map(([key, item]) => [key, inner(item, type.item)]),
      );
    case "enum":
      return changeEnum(value, type.id);
    case "struct": {
      const fields = structOf(schema, type.id).fields.filter(
        ({ name }) => (value as Fields)[name] !== undefined,
      );
      const parts = fields.map(({ name, type: of }) => [name, inner((value as Fields)[name], of)]);
      return change(Object.fromEntries(parts), type.id);
    }
    default:
      return value;
  }
}

/** Whether a value follows the rules of its version. */
export function isValid(value: Value, type: Type, schema: Schema): boolean {
  switch (type.kind) {
    case "string":
      return typeof value === "string";
    case "bool":
      return typeof value === "boolean";
    case "int32":
      return Number.isInteger(value) && (value as number) >= -(2 ** 31) && (value as number) < 2 ** 31;
    case "int64":
      return Number.isSafeInteger(value);
    case "enum":
      return enumOf(schema, type.id).values.includes(value as string);
    case "list":
      return (value as readonly Value[]).every((item) => isValid(item, type.item, schema));
    case "map":
      return Object.values(value as Fields).every((item) => isValid(item, type.item, schema));
    case "struct":
      return structOf(schema, type.id).fields.every(({ name, type: of, optional, maxLength }) => {
        const field = (value as Fields)[name];
        if (field === undefined) return optional === true;
        return (
          isValid(field, of, schema) && (maxLength === undefined || (field as string).length <= maxLength)
        );
      });
  }
}
