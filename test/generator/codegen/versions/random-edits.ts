/** The changes that histories consist of. */
import type { Random } from "../../../support/random.ts";
import type {
  CustomConversion,
  Edit,
  Field,
  Fields,
  Schema,
  SchemaError,
  Struct,
  Value,
} from "./random-history.ts";

type Making = (random: Random, schema: Schema, fresh: string) => Edit | undefined;

const same = (value: Value): Value => value;
const nothing = { up: {}, down: {} };

/** Returns a change that is possible. `fresh`: a name that no version has. */
export function randomEdit(random: Random, schema: Schema, fresh: string): Edit {
  for (;;) {
    const edit = random.pick(edits)(random, schema, fresh);
    if (edit !== undefined) return edit;
  }
}

/** Of the names of all kinds, every one is made some time. */
export const edits: readonly Making[] = [
  addField({ optional: true }),
  addField({ default: "EUR" }),
  addField({}),
  removeField(true),
  removeField(false),
  renameField,
  retypeField("int32", "int64"),
  retypeField("int64", "int32"),
  replaceField,
  limitField,
  requireField,
  relaxField,
  addValue,
  removeValue,
  renameType,
  renameMethod,
  removeMethod,
  renameError,
  recodeError,
  addError,
];

function addField(marks: Pick<Field, "optional" | "default">): Making {
  return (random, schema, fresh) => {
    const struct = random.pick(declared(schema));
    const isCustom = marks.optional !== true && marks.default === undefined;
    const field: Field = { name: fresh, type: { kind: "string" }, ...marks };
    const made = random.chance(90) ? "made" : undefined;
    return {
      name: `add ${JSON.stringify(marks)}`,
      struct: struct.id,
      after: withFields(schema, struct, [...struct.fields, field]),
      up: (value) => (marks.optional ? value : set(value, fresh, isCustom ? made : marks.default)),
      down: (value) => without(value, fresh),
      custom: { up: isCustom ? { [struct.name]: { [fresh]: () => made } } : {}, down: {} },
    };
  };
}

function removeField(isOptional: boolean): Making {
  return (random, schema) => {
    const found = pickField(
      random,
      schema,
      ({ optional, type }) => (optional ?? false) === isOptional && type.kind === "string",
    );
    if (found === undefined || found.struct.fields.length === 1) return undefined;
    const { struct, field } = found;
    const { name } = field;
    const down: CustomConversion = () => "was";
    return {
      name: `remove ${isOptional ? "optional" : "required"}`,
      struct: struct.id,
      after: withFields(
        schema,
        struct,
        struct.fields.filter((each) => each !== field),
      ),
      up: (value) => without(value, name),
      down: (value) => (isOptional ? value : set(value, name, field.default ?? down(value as never))),
      custom: {
        up: {},
        down: isOptional || field.default !== undefined ? {} : { [struct.name]: { [name]: down } },
      },
    };
  };
}

function renameField(random: Random, schema: Schema, fresh: string): Edit | undefined {
  const found = pickField(random, schema, () => true);
  if (found === undefined) return undefined;
  const { struct, field } = found;
  const renamed = { ...field, name: fresh, renamedFrom: field.name };
  const move =
    (from: string, to: string) =>
    (value: Value): Value => {
      const given = (value as Fields)[from];
      return given === undefined ? value : set(without(value, from), to, given);
    };
  return {
    name: "rename field",
    struct: struct.id,
    after: withFields(schema, struct, replaced(struct, field, renamed)),
    up: move(field.name, fresh),
    down: move(fresh, field.name),
    custom: nothing,
  };
}

/** Values that do not fit are found by the rules of the version. */
function retypeField(from: "int32" | "int64", to: "int32" | "int64"): Making {
  return (random, schema) => {
    const found = pickField(random, schema, ({ type }) => type.kind === from);
    if (found === undefined) return undefined;
    const { struct, field } = found;
    const after = withFields(schema, struct, replaced(struct, field, { ...field, type: { kind: to } }));
    return { name: `${from} to ${to}`, struct: struct.id, after, up: same, down: same, custom: nothing };
  };
}

/** The field gets another type under the same name. */
function replaceField(random: Random, schema: Schema): Edit | undefined {
  const found = pickField(
    random,
    schema,
    ({ type, default: value }) => type.kind === "string" && value === undefined,
  );
  if (found === undefined) return undefined;
  const { struct, field } = found;
  const { name } = field;
  const { maxLength: _limit, ...rest } = field;
  const up: CustomConversion = (value: Fields) =>
    value[name] === undefined ? undefined : String(value[name]).length;
  const down: CustomConversion = (value: Fields) =>
    value[name] === undefined ? undefined : String(value[name]);
  return {
    name: "string to int",
    struct: struct.id,
    after: withFields(schema, struct, replaced(struct, field, { ...rest, type: { kind: "int32" } })),
    up: (value) => set(value, name, up(value as never)),
    down: (value) => set(value, name, down(value as never)),
    custom: { up: { [struct.name]: { [name]: up } }, down: { [struct.name]: { [name]: down } } },
  };
}

function limitField(random: Random, schema: Schema): Edit | undefined {
  const found = pickField(random, schema, ({ type }) => type.kind === "string");
  if (found === undefined) return undefined;
  const { struct, field } = found;
  const { maxLength, ...rest } = field;
  const after = withFields(
    schema,
    struct,
    replaced(struct, field, maxLength === undefined ? { ...field, maxLength: 6 } : rest),
  );
  return { name: "limit", struct: struct.id, after, up: same, down: same, custom: nothing };
}

function requireField(random: Random, schema: Schema): Edit | undefined {
  const found = pickField(
    random,
    schema,
    ({ type, optional }) => optional === true && type.kind === "string",
  );
  if (found === undefined) return undefined;
  const { struct, field } = found;
  const { optional: _no, ...rest } = field;
  return {
    name: "require",
    struct: struct.id,
    after: withFields(schema, struct, replaced(struct, field, rest)),
    up: (value) => ((value as Fields)[field.name] === undefined ? set(value, field.name, "none") : value),
    down: same,
    custom: { up: { [struct.name]: { [field.name]: () => "none" } }, down: {} },
  };
}

function relaxField(random: Random, schema: Schema): Edit | undefined {
  const found = pickField(
    random,
    schema,
    ({ type, optional, default: value }) => !optional && value === undefined && type.kind === "string",
  );
  if (found === undefined) return undefined;
  const { struct, field } = found;
  return {
    name: "relax",
    struct: struct.id,
    after: withFields(schema, struct, replaced(struct, field, { ...field, optional: true })),
    up: same,
    down: (value) => ((value as Fields)[field.name] === undefined ? set(value, field.name, "absent") : value),
    custom: { up: {}, down: { [struct.name]: { [field.name]: () => "absent" } } },
  };
}

function addValue(random: Random, schema: Schema, fresh: string): Edit {
  const one = random.pick(schema.enums);
  const translated = random.chance(90) ? one.values[0] : undefined;
  const value = fresh.toUpperCase();
  return {
    name: "add value",
    enum: one.id,
    after: {
      ...schema,
      enums: [...schema.enums.filter((each) => each !== one), { ...one, values: [...one.values, value] }],
    },
    up: same,
    // A value without a translation stays as it is, which the rules find.
    down: (given) => (given === value ? (translated ?? given) : given),
    custom: { up: {}, down: { [one.name]: () => translated } },
  };
}

function removeValue(random: Random, schema: Schema): Edit | undefined {
  const one = random.pick(schema.enums);
  const [first, ...rest] = one.values;
  if (rest.length === 0) return undefined;
  return {
    name: "remove value",
    enum: one.id,
    after: { ...schema, enums: [...schema.enums.filter((each) => each !== one), { ...one, values: rest }] },
    up: (given) => (given === first ? rest[0] : given),
    down: same,
    custom: { up: { [one.name]: () => rest[0] }, down: {} },
  };
}

function renameType(random: Random, schema: Schema, fresh: string): Edit {
  const struct = random.pick(declared(schema));
  const after = withStruct(schema, struct, { ...struct, name: `T${fresh}` });
  return { name: "rename type", after, up: same, down: same, custom: nothing };
}

function renameMethod(random: Random, schema: Schema, fresh: string): Edit | undefined {
  if (schema.methods.length === 0) return undefined;
  const method = random.pick(schema.methods);
  const name = `M${fresh}`;
  const bodies = new Map([
    [method.input, `${name}Request`],
    [method.output, `${name}Response`],
  ]);
  return {
    name: "rename method",
    after: {
      ...schema,
      structs: schema.structs.map((struct) => ({ ...struct, name: bodies.get(struct.id) ?? struct.name })),
      methods: schema.methods.map((each) =>
        each === method ? { ...method, name, renamedFrom: method.name } : each,
      ),
    },
    up: same,
    down: same,
    custom: nothing,
  };
}

function removeMethod(random: Random, schema: Schema): Edit | undefined {
  if (schema.methods.length < 3) return undefined;
  const method = random.pick(schema.methods);
  const after = { ...schema, methods: schema.methods.filter((each) => each !== method) };
  return { name: "remove method", after, up: same, down: same, custom: nothing };
}

function renameError(random: Random, schema: Schema, fresh: string): Edit {
  const error = random.pick(schema.errors);
  return errorEdit("rename error", schema, error, { ...error, name: `E${fresh}` });
}

function recodeError(random: Random, schema: Schema): Edit {
  const error = random.pick(schema.errors);
  const code = 1 + Math.max(...schema.errors.map((each) => each.code));
  return errorEdit("recode error", schema, error, { ...error, code });
}

function errorEdit(name: string, schema: Schema, before: SchemaError, after: SchemaError): Edit {
  return {
    name,
    after: { ...schema, errors: schema.errors.map((each) => (each === before ? after : each)) },
    up: same,
    down: same,
    custom: nothing,
    error: (error) => (error.name === after.name && error.code === after.code ? before : error),
  };
}

function addError(_random: Random, schema: Schema, fresh: string): Edit {
  const code = 50 + Math.max(...schema.errors.map((each) => each.code));
  const after = { ...schema, errors: [...schema.errors, { name: `E${fresh}`, code }] };
  return { name: "add error", after, up: same, down: same, custom: nothing };
}

function declared({ structs }: Schema): readonly Struct[] {
  return structs.filter(({ isBody }) => isBody !== true);
}

function pickField(
  random: Random,
  schema: Schema,
  fits: (field: Field) => boolean,
): { readonly struct: Struct; readonly field: Field } | undefined {
  const all = declared(schema).flatMap((struct) =>
    struct.fields.filter(fits).map((field) => ({ struct, field })),
  );
  return all.length === 0 ? undefined : random.pick(all);
}

function replaced({ fields }: Struct, field: Field, by: Field): readonly Field[] {
  return fields.map((each) => (each === field ? by : each));
}

function withFields(schema: Schema, struct: Struct, fields: readonly Field[]): Schema {
  return withStruct(schema, struct, { ...struct, fields });
}

function withStruct(schema: Schema, struct: Struct, by: Struct): Schema {
  return { ...schema, structs: schema.structs.map((each) => (each === struct ? by : each)) };
}

function set(value: Value, name: string, to: Value): Value {
  return { ...without(value, name), ...(to !== undefined && { [name]: to }) };
}

function without(value: Value, name: string): Fields {
  const { [name]: _gone, ...rest } = value as Fields;
  return rest;
}
