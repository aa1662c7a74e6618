/** Random histories of a schema. Every edit knows what it does to values, independently of the code that is tested. */
import type { Random } from "../../../support/random.ts";

export type Type =
  /** `id`: text with a brand. */
  | { readonly kind: "string" | "id" | "int32" | "int64" | "bool" }
  | StructType
  | { readonly kind: "enum"; readonly id: number }
  | { readonly kind: "list" | "map"; readonly item: Type };

/** The values of an enum field, its kind, for which a field is set. For others, it is absent. */
export type Kinds = Readonly<Record<string, "required" | "optional">>;

/** `derived`: `New` lacks the field `own`; `Patch`, in requests only, has all fields as optional ones. */
export interface StructType {
  readonly kind: "struct";
  readonly id: number;
  readonly derived?: "New" | "Patch";
}

export interface Field {
  readonly name: string;
  readonly type: Type;
  readonly optional?: boolean;
  readonly default?: string | number;
  readonly maxLength?: number;
  readonly format?: "decimal";
  /** Of optional fields: null differs from absent. */
  readonly nullable?: true;
  /** Its group, of which one field is set. */
  readonly oneOf?: string;
  /** Tells the kinds of its struct apart. */
  readonly isKind?: true;
  /** Of optional fields. */
  readonly when?: Kinds;
  readonly renamedFrom?: string;
}

export interface Struct {
  readonly id: number;
  readonly name: string;
  readonly fields: readonly Field[];
  /** Arguments of a method, whose struct has no declaration. */
  readonly isBody?: boolean;
}

interface Enum {
  readonly id: number;
  readonly name: string;
  readonly values: readonly string[];
  /** Requests may have these numbers instead of the values. */
  readonly numbers?: (value: string) => number;
}

export interface Method {
  readonly id: number;
  readonly name: string;
  readonly renamedFrom?: string;
  readonly isStream: boolean;
  /** Ids of structs. */
  readonly input: number;
  readonly output: number;
}

export interface SchemaError {
  readonly name: string;
  readonly code: number;
  /** Id of the struct of its data. */
  readonly data?: number;
}

export interface Schema {
  readonly structs: readonly Struct[];
  readonly enums: readonly Enum[];
  readonly methods: readonly Method[];
  readonly errors: readonly SchemaError[];
}

export type Value = undefined | null | boolean | number | string | readonly Value[] | Fields;
export type Fields = { readonly [name: string]: Value };

/** A function that a person writes. Undefined: there is no such value. */
export type CustomConversion = (value: never) => Value;

/** One change, and what it does to the values of the struct or the enum that it changes. */
export interface Edit {
  readonly name: string;
  readonly after: Schema;
  readonly struct?: number;
  readonly enum?: number;
  up(value: Value): Value;
  down(value: Value): Value;
  /** `up` only sets an absent field, which a patch lacks. */
  readonly isFilling?: boolean;
  readonly custom: Readonly<
    Record<
      "up" | "down",
      Readonly<Record<string, CustomConversion | Readonly<Record<string, CustomConversion>>>>
    >
  >;
  /** Returns how the version before knows an error. */
  error?(error: SchemaError): SchemaError;
}

export function randomSchema(random: Random): Schema {
  const enums = [
    { id: 1, name: "Status", values: ["OPEN", "DONE", "LOST"] },
    { id: 2, name: "Level", values: ["LOW", "MIDDLE", "HIGH"], numbers: levelNumber },
  ];
  const count = 2 + random.below(2);
  const structs = Array.from({ length: count }, (_, index): Struct => {
    const fields = Array.from({ length: 2 + random.below(4) }, (_, at) =>
      randomField(random, `field${at}`, index, random.chance(30)),
    );
    // Structs with groups and kinds have no patches.
    const group = index > 0 && random.chance(70) ? groupOf(random, index) : [];
    const kinds = index === count - 1 ? kindsOf(random, index, random.pick(enums)) : [];
    const isSource = index === 0 || index === count - 1;
    return {
      id: index + 1,
      name: `Type${index}`,
      fields: [...fields, ...(isSource ? [own] : []), ...group, ...kinds],
    };
  });
  const bodies: Struct[] = [];
  const body = (name: string): number => {
    const id = 100 + bodies.length;
    const used: Type = { kind: "struct", id: 1 + random.below(count) };
    const made: Type = { kind: "struct", id: count, derived: "New" };
    const inside = (of: Type): Type =>
      random.pick<Type>([of, { kind: "list", item: of }, { kind: "map", item: of }]);
    const fields = [
      { name: "id", type: { kind: "int64" } },
      { name: "item", type: inside(used) },
      { name: "made", type: inside(made) },
      { name: "created", type: { kind: "struct", id: patched, derived: "New" } },
    ] satisfies Field[];
    const patch: Field = { name: "patch", type: { kind: "struct", id: patched, derived: "Patch" } };
    bodies.push({ id, name, fields: name.endsWith("Request") ? [...fields, patch] : fields, isBody: true });
    return id;
  };
  const methods = ["Get", "Put", "Watch"].map((name, id) => ({
    id,
    name,
    isStream: name === "Watch",
    input: body(`${name}Request`),
    output: body(`${name}Response`),
  }));
  const errors = [1, 2, 3].map((code) => ({
    name: `Error${code}`,
    code,
    ...(random.chance(60) && { data: 1 + random.below(count) }),
  }));
  return { structs: [...structs, ...bodies], enums, methods, errors };
}

/** The struct of which there is a patch, and the field that `New` lacks. */
const patched = 1;
const own: Field = { name: "own", type: { kind: "bool" } };

/** Values that are added later have higher numbers, whatever their position. */
function levelNumber(value: string): number {
  const first = ["LOW", "MIDDLE", "HIGH"].indexOf(value);
  return first < 0 ? 10 + Number(value.slice(-1)) : first;
}

function groupOf(random: Random, struct: number): readonly Field[] {
  const scalars: readonly Type[] = [{ kind: "string" }, { kind: "int32" }, { kind: "enum", id: 2 }];
  const types: readonly Type[] = struct > 0 ? [...scalars, { kind: "struct", id: struct }] : scalars;
  return Array.from({ length: 2 + random.below(2) }, (_, at) => ({
    name: `member${at}`,
    type: random.pick(types),
    optional: true,
    oneOf: "group",
  }));
}

/** A kind, and fields that depend on it. */
function kindsOf(random: Random, struct: number, { id, values }: Enum): readonly Field[] {
  const types: readonly Type[] = [
    { kind: "string" },
    { kind: "string" },
    { kind: "int32" },
    { kind: "struct", id: struct },
  ];
  const parts = Array.from({ length: 2 + random.below(3) }, (_, at): Field => {
    return {
      name: `part${at}`,
      type: random.pick(types),
      optional: true,
      when: randomKinds(random, values),
    };
  });
  return [{ name: "kind", type: { kind: "enum", id }, isKind: true }, ...parts];
}

/** Returns at least one kind. */
export function randomKinds(random: Random, values: readonly string[]): Kinds {
  const first = random.pick(values);
  const chosen = values.filter((value) => value === first || random.chance(30));
  return Object.fromEntries(chosen.map((value) => [value, random.chance(60) ? "required" : "optional"]));
}

/** Structs contain only those with a lower number, or themselves in a list. */
function randomField(random: Random, name: string, struct: number, optional: boolean): Field {
  if (random.chance(8)) return { name, type: { kind: "list", item: { kind: "struct", id: struct + 1 } } };
  const scalar = random.pick<Type>([
    { kind: "string" },
    { kind: "id" },
    { kind: "int32" },
    { kind: "int64" },
    { kind: "bool" },
    { kind: "enum", id: 1 },
    { kind: "enum", id: 2 },
  ]);
  const deep =
    random.chance(25) && struct > 0 ? ({ kind: "struct", id: 1 + random.below(struct) } as const) : scalar;
  const type = random.chance(20) ? ({ kind: random.chance(50) ? "list" : "map", item: deep } as const) : deep;
  return {
    name,
    type,
    ...(optional && { optional }),
    ...(type.kind === "string" && random.chance(30) && { maxLength: 12 }),
    ...(type.kind === "string" && random.chance(20) && { format: "decimal" as const }),
    ...(type.kind === "string" && optional && random.chance(40) && { nullable: true as const }),
  };
}

export function printSchema(schema: Schema, version: string): string {
  const typeText = (type: Type): string => {
    switch (type.kind) {
      case "struct":
        return `${structOf(schema, type.id).name}${type.derived ?? ""}`;
      case "enum":
        return enumOf(schema, type.id).name;
      case "list":
        return `[]${typeText(type.item)}`;
      case "map":
        return `map<string,${typeText(type.item)}>`;
      case "id":
        return "Id";
      default:
        return type.kind;
    }
  };
  const argument = ({ name, optional, type }: Field): string =>
    `${name}${optional ? "?" : ""}: ${typeText(type)}`;
  const body = (id: number): string => structOf(schema, id).fields.map(argument).join(", ");
  const metaOf = (field: Field, { fields }: Struct): readonly string[] => [
    ...(field.default === undefined ? [] : [`default = ${field.default}`]),
    ...(field.maxLength === undefined ? [] : [`maxLength = ${field.maxLength}`]),
    ...(field.format === undefined ? [] : [`format = ${field.format}`]),
    ...(field.nullable === undefined ? [] : ["nullable = always"]),
    ...(field.oneOf === undefined ? [] : [`oneOf = ${field.oneOf}`]),
    ...Object.entries(field.when ?? {}).map(
      ([value, how]) => `when = ${kindOf(fields)?.name}.${value}${how === "optional" ? "?" : ""}`,
    ),
    ...(field.renamedFrom === undefined ? [] : [`renamedFrom = ${field.renamedFrom}`]),
  ];
  return [
    `webrpc = v1\nname = Api\nversion = ${version}\nbasepath = /rpc\n`,
    "type Id: string\n  + brand = true\n",
    ...schema.enums.map(
      ({ name, values, numbers }) =>
        `enum ${name}: ${numbers ? "uint8" : "string"}\n${values
          .map((value) => `  - ${value}${numbers ? ` = ${numbers(value)}` : ""}\n`)
          .join("")}`,
    ),
    ...schema.structs
      .filter(({ isBody }) => isBody !== true)
      .map(
        (struct) =>
          `struct ${struct.name}\n${struct.fields
            .map(
              (field) =>
                `  - ${argument(field)}\n${metaOf(field, struct)
                  .map((line) => `    + ${line}\n`)
                  .join("")}`,
            )
            .join("")}`,
      ),
    ...schema.structs
      .filter(({ fields }) => fields.some(({ name }) => name === own.name))
      .map(
        ({ id, name }) =>
          `type ${name}New: ${name}\n  + omit = own\n\n${id === patched ? `type ${name}Patch: ${name}\n  + partial = true\n` : ""}`,
      ),
    ...schema.errors.map(({ name, code }) => `error ${code} ${name} "${name}" HTTP 409\n`),
    ...schema.errors.flatMap(({ name, data }) =>
      data === undefined
        ? []
        : [`type ${name}Data: ${structOf(schema, data).name}\n  + errorData = ${name}\n`],
    ),
    `service Api\n${schema.methods
      .map(
        ({ name, renamedFrom, isStream, input, output }) =>
          `${renamedFrom === undefined ? "" : `  @renamedFrom:${renamedFrom}\n`}  - ${name}(${body(input)}) => ${isStream ? "stream " : ""}(${body(output)})\n`,
      )
      .join("")}`,
  ].join("\n");
}

function structOf({ structs }: Schema, id: number): Struct {
  const found = structs.find((struct) => struct.id === id);
  if (found === undefined) throw new Error(`no struct ${id}`);
  return found;
}

export function fieldsOf(schema: Schema, { id, derived }: StructType): readonly Field[] {
  const { fields } = structOf(schema, id);
  if (derived === "New") return fields.filter(({ name }) => name !== own.name);
  if (derived === "Patch")
    return fields.map(({ default: _default, ...field }) => ({ ...field, optional: true }));
  return fields;
}

/** Returns the field that tells the kinds of a struct apart. */
export function kindOf(fields: readonly Field[]): Field | undefined {
  return fields.find(({ isKind }) => isKind);
}

/** Whether a struct has a patch, so that it has neither groups nor kinds. */
export function isPatched({ id }: Struct): boolean {
  return id === patched;
}

export function enumOf({ enums }: Schema, id: number): Enum {
  const found = enums.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no enum ${id}`);
  return found;
}
