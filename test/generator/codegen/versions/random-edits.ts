/** The changes that histories consist of. */
import { type Random, seededRandom } from "../../../support/random.ts";
import { groupsOf } from "./history-values.ts";
import {
  type CustomConversion,
  type Edit,
  enumOf,
  type Field,
  type Fields,
  isPatched,
  type Kinds,
  kindOf,
  randomKinds,
  randomSchema,
  type Schema,
  type SchemaError,
  type Struct,
  type Value,
} from "./random-history.ts";

type Making = (random: Random, schema: Schema, fresh: string) => Edit | undefined;

const same = (value: Value): Value => value;
const nothing = { up: {}, down: {} };

const schemas = 10;
const editsPerHistory = 5;

export interface History {
  readonly schemas: readonly Schema[];
  readonly edits: readonly Edit[];
}

/** Several histories begin with the same schema, so that more kinds of changes meet it. */
export function randomHistory(seed: number): History {
  const made: Edit[] = [];
  const versions = [randomSchema(seededRandom(seed % schemas))];
  const random = seededRandom(seed);
  for (let index = 0; index < editsPerHistory; index++) {
    const edit = randomEdit(random, versions[index] as Schema, `new${index}`);
    made.push(edit);
    versions.push(edit.after);
  }
  return { schemas: versions, edits: made };
}

/** Returns a change that is possible. `fresh`: a name that no version has. */
function randomEdit(random: Random, schema: Schema, fresh: string): Edit {
  for (;;) {
    const edit = random.pick(edits)(random, schema, fresh);
    if (edit !== undefined) return edit;
  }
}

/** Of the names of all kinds, every one is made some time. */
export const edits: readonly Making[] = [
  addField({ optional: true }),
  addField({ optional: true, nullable: true }),
  addField({ default: "EUR" }),
  addField({}),
  removeField(true),
  removeField(false),
  renameField,
  retypeField("int32", "int64"),
  retypeField("int64", "int32"),
  replaceField,
  limitField,
  formatField,
  brandField,
  nullField(true),
  nullField(false),
  requireField,
  relaxField,
  groupFields,
  ungroupFields,
  addMember,
  addPart,
  tieField,
  untieField,
  moveField,
  addKind,
  removeKind,
  relaxKind,
  addValue,
  removeValue,
  renameType,
  renameMethod,
  removeMethod,
  renameError,
  recodeError,
  addError,
  addErrorData,
  removeErrorData,
];

function addField(marks: Pick<Field, "optional" | "default" | "nullable">): Making {
  return (random, schema, fresh) => {
    const struct = random.pick(declared(schema));
    const isCustom = marks.optional !== true && marks.default === undefined;
    const field: Field = { name: fresh, type: { kind: "string" }, ...marks };
    const made = random.chance(90) ? "made" : undefined;
    return {
      name: `add ${JSON.stringify(marks)}`,
      struct: struct.id,
      isFilling: true,
      after: withFields(schema, struct, [...struct.fields, field]),
      up: (value) => (marks.optional ? value : set(value, fresh, isCustom ? made : marks.default)),
      down: same,
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
    if (groupsOf(struct.fields).some((group) => group.length === 2 && group.includes(field)))
      return undefined;
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
      up: same,
      down: (value) => {
        if (isOptional) return field.nullable ? set(value, name, null) : value;
        return set(value, name, field.default ?? down(value as never));
      },
      custom: {
        up: {},
        down: isOptional || field.default !== undefined ? {} : { [struct.name]: { [name]: down } },
      },
    };
  };
}

function renameField(random: Random, schema: Schema, fresh: string): Edit | undefined {
  const found = pickField(random, schema, ({ name }) => name !== "own");
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
    ({ type, default: value, nullable }) =>
      type.kind === "string" && value === undefined && nullable === undefined,
  );
  if (found === undefined) return undefined;
  const { struct, field } = found;
  const { name } = field;
  const { maxLength: _limit, format: _format, ...rest } = field;
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

/** Adds or removes a format. */
function formatField(random: Random, schema: Schema): Edit | undefined {
  const found = pickField(
    random,
    schema,
    ({ type, default: value }) => type.kind === "string" && value === undefined,
  );
  if (found === undefined) return undefined;
  const { format, ...rest } = found.field;
  return metaEdit("format", schema, found, format === undefined ? { ...rest, format: "decimal" } : rest);
}

/** Adds or removes a brand, which is not on the wire. */
function brandField(random: Random, schema: Schema): Edit | undefined {
  const isText = ({ type, default: value, maxLength, format }: Field): boolean =>
    type.kind === "id" ||
    (type.kind === "string" && value === undefined && maxLength === undefined && format === undefined);
  const found = pickField(random, schema, (field) => isText(field) && field.nullable === undefined);
  if (found === undefined) return undefined;
  const { field } = found;
  const type = { kind: field.type.kind === "id" ? "string" : "id" } as const;
  return metaEdit("brand", schema, found, { ...field, type });
}

/** Adds or removes null as a value of its own. */
function nullField(isAdded: boolean): Making {
  return (random, schema) => {
    const found = pickField(
      random,
      schema,
      (field) => isPlain(field) && field.type.kind === "string" && (field.nullable ?? false) !== isAdded,
    );
    if (found === undefined) return undefined;
    const { nullable: _nullable, ...rest } = found.field;
    const { name } = rest;
    const withoutNull = (value: Value): Value =>
      (value as Fields)[name] === null ? without(value, name) : value;
    const withNull = (value: Value): Value => set(value, name, (value as Fields)[name] ?? null);
    return {
      ...metaEdit("null", schema, found, isAdded ? { ...rest, nullable: true } : rest),
      name: isAdded ? "add null" : "remove null",
      up: isAdded ? same : withoutNull,
      down: isAdded ? withoutNull : withNull,
    };
  };
}

/** A change of rules: values that break them are found by the rules of the version. */
function metaEdit(
  name: string,
  schema: Schema,
  { struct, field }: { readonly struct: Struct; readonly field: Field },
  by: Field,
): Edit {
  const after = withFields(schema, struct, replaced(struct, field, by));
  return { name, struct: struct.id, after, up: same, down: same, custom: nothing };
}

/** Whether a field is optional, whatever the values of others. */
function isPlain({ optional, oneOf, when }: Field): boolean {
  return optional === true && oneOf === undefined && when === undefined;
}

/** Of several optional fields, only one may be set. */
function groupFields(random: Random, schema: Schema, fresh: string): Edit | undefined {
  const groupable = ({ fields }: Struct): readonly Field[] =>
    fields.filter((field) => isPlain(field) && field.nullable === undefined && field.default === undefined);
  const structs = declared(schema).filter((struct) => !isPatched(struct) && groupable(struct).length > 1);
  if (structs.length === 0) return undefined;
  const struct = random.pick(structs);
  const members = groupable(struct).slice(0, 3);
  const fields = struct.fields.map((field) => (members.includes(field) ? { ...field, oneOf: fresh } : field));
  return fieldsEdit("group", schema, struct, fields);
}

function ungroupFields(random: Random, schema: Schema): Edit | undefined {
  const found = pickField(random, schema, ({ oneOf }) => oneOf !== undefined);
  if (found === undefined) return undefined;
  const { struct, field: member } = found;
  const fields = struct.fields.map((field) => {
    const { oneOf, ...rest } = field;
    return oneOf === member.oneOf ? rest : field;
  });
  return fieldsEdit("ungroup", schema, struct, fields);
}

function addMember(random: Random, schema: Schema, fresh: string): Edit | undefined {
  const found = pickField(random, schema, ({ oneOf }) => oneOf !== undefined);
  if (found === undefined) return undefined;
  const { struct, field } = found;
  const member = { ...field, name: fresh, type: { kind: "string" } } as const;
  const { renamedFrom: _from, maxLength: _limit, format: _format, ...rest } = member;
  return fieldsEdit("add member", schema, struct, [...struct.fields, rest]);
}

function fieldsEdit(name: string, schema: Schema, struct: Struct, fields: readonly Field[]): Edit {
  const after = withFields(schema, struct, fields);
  return { name, struct: struct.id, after, up: same, down: same, custom: nothing };
}

function requireField(random: Random, schema: Schema): Edit | undefined {
  const found = pickField(
    random,
    schema,
    (field) => isPlain(field) && field.type.kind === "string" && field.nullable === undefined,
  );
  if (found === undefined) return undefined;
  const { struct, field } = found;
  const { optional: _no, ...rest } = field;
  return {
    name: "require",
    struct: struct.id,
    isFilling: true,
    after: withFields(schema, struct, replaced(struct, field, rest)),
    up: (value) => ((value as Fields)[field.name] === undefined ? set(value, field.name, "0") : value),
    down: same,
    custom: { up: { [struct.name]: { [field.name]: () => "0" } }, down: {} },
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
    down: (value) => ((value as Fields)[field.name] === undefined ? set(value, field.name, "-1") : value),
    custom: { up: {}, down: { [struct.name]: { [field.name]: () => "-1" } } },
  };
}

/** The kind of a struct, and the values that it can have. */
function kindIn(schema: Schema, { fields }: Struct): readonly string[] {
  const type = kindOf(fields)?.type;
  return type?.kind === "enum" ? enumOf(schema, type.id).values : [];
}

/** A new field for some kinds. */
function addPart(random: Random, schema: Schema, fresh: string): Edit | undefined {
  const struct = declared(schema).find(({ fields }) => kindOf(fields) !== undefined);
  if (struct === undefined) return undefined;
  const when = randomKinds(random, kindIn(schema, struct));
  const field: Field = { name: fresh, type: { kind: "string" }, optional: true, when };
  return fieldsEdit("add part", schema, struct, [...struct.fields, field]);
}

/** An optional field becomes one of some kinds. */
function tieField(random: Random, schema: Schema): Edit | undefined {
  const struct = declared(schema).find(({ fields }) => kindOf(fields) !== undefined);
  const fields = struct?.fields.filter(
    (field) => isPlain(field) && field.nullable === undefined && field.default === undefined,
  );
  if (struct === undefined || fields === undefined || fields.length === 0) return undefined;
  const field = random.pick(fields);
  const when = randomKinds(random, kindIn(schema, struct));
  return metaEdit("tie", schema, { struct, field }, { ...field, when });
}

/** A field becomes an optional one of all kinds. */
function untieField(random: Random, schema: Schema): Edit | undefined {
  const found = pickField(random, schema, ({ when }) => when !== undefined);
  if (found === undefined) return undefined;
  const { when: _when, ...rest } = found.field;
  return metaEdit("untie", schema, found, rest);
}

/** Changes the kinds for which a field is set. */
function kindsEdit(
  name: string,
  { random, schema }: { readonly random: Random; readonly schema: Schema },
  change: (given: Kinds, others: readonly string[]) => Kinds | undefined,
): Edit | undefined {
  const found = pickField(random, schema, ({ when }) => when !== undefined);
  const given = found?.field.when;
  if (found === undefined || given === undefined) return undefined;
  const others = kindIn(schema, found.struct).filter((value) => given[value] === undefined);
  const when = change(given, others);
  return when && metaEdit(name, schema, found, { ...found.field, when });
}

function moveField(random: Random, schema: Schema): Edit | undefined {
  return kindsEdit("move", { random, schema }, (given, others) => {
    if (others.length === 0) return undefined;
    const from = random.pick(Object.keys(given));
    return Object.fromEntries(
      Object.entries(given).map(([kind, how]) => [kind === from ? random.pick(others) : kind, how]),
    );
  });
}

function addKind(random: Random, schema: Schema): Edit | undefined {
  return kindsEdit("add kind", { random, schema }, (given, others) =>
    others.length === 0
      ? undefined
      : { ...given, [random.pick(others)]: random.chance(50) ? "required" : "optional" },
  );
}

function removeKind(random: Random, schema: Schema): Edit | undefined {
  return kindsEdit("remove kind", { random, schema }, (given) => {
    const kinds = Object.entries(given);
    return kinds.length === 1 ? undefined : Object.fromEntries(kinds.slice(1));
  });
}

/** A required field of a kind becomes optional, or the other way around. */
function relaxKind(random: Random, schema: Schema): Edit | undefined {
  return kindsEdit("relax kind", { random, schema }, (given) => {
    const kind = random.pick(Object.keys(given));
    return { ...given, [kind]: given[kind] === "required" ? "optional" : "required" };
  });
}

/** A new value, which is a kind of its own where the enum is a kind. */
function addValue(random: Random, schema: Schema, fresh: string): Edit {
  const one = random.pick(schema.enums);
  const translated = random.chance(90) ? one.values[0] : undefined;
  const value = fresh.toUpperCase();
  const marked = (field: Field): Field => {
    const { when } = field;
    return when === undefined || random.chance(30)
      ? field
      : { ...field, when: { ...when, [value]: random.chance(50) ? "required" : "optional" } };
  };
  const part: Field = {
    name: `${fresh}Part`,
    type: { kind: "string" },
    optional: true,
    when: { [value]: "required" },
  };
  const structs = schema.structs.map((struct) => {
    const kind = kindOf(struct.fields)?.type;
    if (kind?.kind !== "enum" || kind.id !== one.id) return struct;
    const fields = struct.fields.map(marked);
    return { ...struct, fields: random.chance(50) ? [...fields, part] : fields };
  });
  return {
    name: "add value",
    enum: one.id,
    after: {
      ...schema,
      structs,
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
  if (first === undefined || rest.length === 0) return undefined;
  // A field that only this kind had leaves with the kind.
  const unmarked = (field: Field): readonly Field[] => {
    const { [first]: how, ...when } = field.when ?? {};
    if (how === undefined) return [field];
    return Object.keys(when).length === 0 ? [] : [{ ...field, when }];
  };
  const structs = schema.structs.map((struct) => {
    const kind = kindOf(struct.fields)?.type;
    const isKind = kind?.kind === "enum" && kind.id === one.id;
    return isKind ? { ...struct, fields: struct.fields.flatMap(unmarked) } : struct;
  });
  return {
    name: "remove value",
    enum: one.id,
    after: {
      ...schema,
      structs,
      enums: [...schema.enums.filter((each) => each !== one), { ...one, values: rest }],
    },
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

function addErrorData(random: Random, schema: Schema): Edit | undefined {
  const errors = schema.errors.filter(({ data }) => data === undefined);
  if (errors.length === 0) return undefined;
  const error = random.pick(errors);
  return errorEdit("add error data", schema, error, { ...error, data: random.pick(declared(schema)).id });
}

function removeErrorData(random: Random, schema: Schema): Edit | undefined {
  const errors = schema.errors.filter(({ data }) => data !== undefined);
  if (errors.length === 0) return undefined;
  const { data: _data, ...rest } = random.pick(errors);
  const error = schema.errors.find(({ name }) => name === rest.name) as SchemaError;
  return errorEdit("remove error data", schema, error, rest);
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
