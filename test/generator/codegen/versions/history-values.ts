/** Values of the versions of a history: random ones, valid or not, and as an edit converts them. */
import type { Random } from "../../../support/random.ts";
import {
  type Edit,
  enumOf,
  type Field,
  type Fields,
  fieldsOf,
  kindOf,
  type Schema,
  type StructType,
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
    case "id":
      return random.pick(["abcdefgh".slice(0, random.below(9)), ...decimals]);
    case "bool":
      return random.chance(50);
    case "int32":
      return random.pick([0, -1, 7, 2 ** 31 - 1, -(2 ** 31)]);
    case "int64":
      return random.pick([0, -1, 7, 123_456, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER]);
    case "enum": {
      const { values, numbers } = enumOf(schema, type.id);
      const value = random.pick(values);
      return isRequest && numbers !== undefined && random.chance(30) ? numbers(value) : value;
    }
    case "list":
      return Array.from({ length: items }, () => inner(type.item));
    case "map":
      return Object.fromEntries(
        Array.from({ length: items }, (_, index) => [`key${index}`, inner(type.item)]),
      );
    case "struct": {
      const fields = fieldsOf(schema, type);
      const members = new Set(groupsOf(fields).map((group) => random.pick(group)));
      const kind = kindOf(fields);
      const chosen = kind && (inner(kind.type) as string | number);
      const kindName = kind && (read(chosen, kind.type, schema) as string);
      const present = fields.filter((field) => {
        const how = field.when && (field.when[kindName ?? ""] ?? "absent");
        if (how === "required" || how === "absent") return how === "required";
        if (field.oneOf !== undefined) return members.has(field);
        return !(field.optional || (isRequest && field.default !== undefined)) || random.chance(60);
      });
      const value = (field: Field): Value => {
        if (field === kind) return chosen;
        if (field.nullable && isRequest && random.chance(30)) return null;
        if (field.format !== undefined) return random.pick(decimals);
        const made = inner(field.type);
        return field.type.kind === "string" ? (made as string).slice(0, field.maxLength ?? 8) : made;
      };
      const nulls = isRequest ? [] : fields.filter(({ nullable }) => nullable);
      return {
        ...Object.fromEntries(nulls.map(({ name }) => [name, null])),
        ...Object.fromEntries(present.map((field) => [field.name, value(field)])),
      };
    }
  }
}

/** Valid values of the format `decimal`, some of which other texts have, too. */
const decimals = ["1.5", "-2"];

export function groupsOf(fields: readonly Field[]): readonly (readonly Field[])[] {
  const names = new Set(fields.flatMap(({ oneOf }) => oneOf ?? []));
  return [...names].map((name) => fields.filter(({ oneOf }) => oneOf === name));
}

/** Returns a request as handlers receive it: with its defaults, and with the names of numbers. */
export function read(value: Value, type: Type, schema: Schema): Value {
  return mapStructs(
    value,
    type,
    schema,
    (fields, struct) => {
      const missing = fieldsOf(schema, struct).filter(
        (field) => field.default !== undefined && fields[field.name] === undefined,
      );
      return { ...fields, ...Object.fromEntries(missing.map((field) => [field.name, field.default])) };
    },
    (wire, id) => {
      const { values, numbers } = enumOf(schema, id);
      return typeof wire === "number" ? values.find((name) => numbers?.(name) === wire) : wire;
    },
  );
}

/** Converts a value by one edit, from one schema to another, which may lack fields. */
export function converted(
  value: Value,
  type: Type,
  { from, to }: { readonly from: Schema; readonly to: Schema },
  edit: Edit,
  direction: "up" | "down",
): Value {
  return mapStructs(
    value,
    type,
    from,
    (fields, struct) => {
      const isChanged = struct.id === edit.struct && !(struct.derived === "Patch" && edit.isFilling);
      const changed = (isChanged ? edit[direction](fields) : fields) as Fields;
      const known = fieldsOf(to, struct).filter(({ name }) => changed[name] !== undefined);
      return Object.fromEntries(known.map(({ name }) => [name, changed[name]]));
    },
    (wire, id) => (id === edit.enum ? edit[direction](wire) : wire),
  );
}

/** Changes all structs and enum values inside a value, the innermost first. */
function mapStructs(
  value: Value,
  type: Type,
  schema: Schema,
  change: (fields: Fields, struct: StructType) => Value,
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
      const fields = fieldsOf(schema, type).filter(({ name }) => (value as Fields)[name] !== undefined);
      const parts = fields.map(({ name, type: of }) => [name, inner((value as Fields)[name], of)]);
      return change(Object.fromEntries(parts), type);
    }
    default:
      return value;
  }
}

/** Whether a value follows the rules of its version. */
export function isValid(value: Value, type: Type, schema: Schema): boolean {
  switch (type.kind) {
    case "string":
    case "id":
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
    case "struct": {
      const fields = fieldsOf(schema, type);
      const given = value as Fields;
      const isSet = ({ name }: Field): boolean => given[name] !== undefined;
      return (
        groupsOf(fields).every((group) => group.filter(isSet).length === 1) &&
        fields.every((field) => fitsKind(field, given[kindOf(fields)?.name ?? ""], isSet(field))) &&
        fields.every((field) => {
          const inside = given[field.name];
          if (inside === undefined) return field.optional === true;
          if (inside === null) return field.nullable === true;
          return isValid(inside, field.type, schema) && followsRules(inside, field);
        })
      );
    }
  }
}

function fitsKind({ when }: Field, kind: Value, isSet: boolean): boolean {
  if (when === undefined) return true;
  const how = when[kind as string];
  return how === undefined ? !isSet : isSet || how === "optional";
}

function followsRules(value: Value, { maxLength, format }: Field): boolean {
  return (
    (maxLength === undefined || (value as string).length <= maxLength) &&
    (format === undefined || /^-?\d+([.]\d+)?$/.test(value as string))
  );
}
