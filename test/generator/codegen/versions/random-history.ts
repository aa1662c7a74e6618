/** Random histories of a schema. Every edit knows what it does to values, independently of the code that is tested. */
import type { Random } from "../../../support/random.ts";

export type Type =
  | { readonly kind: "string" | "int32" | "int64" | "bool" }
  | { readonly kind: "struct" | "enum"; readonly id: number }
  | { readonly kind: "list" | "map"; readonly item: Type };

export interface Field {
  readonly name: string;
  readonly type: Type;
  readonly optional?: boolean;
  readonly default?: string | number;
  readonly maxLength?: number;
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
  const enums = [{ id: 1, name: "Status", values: ["OPEN", "DONE", "LOST"] }];
  const count = 1 + random.below(3);
  const structs = Array.from({ length: count }, (_, index): Struct => {
    const fields = Array.from({ length: 2 + random.below(4) }, (_, at) =>
      randomField(random, `field${at}`, index, random.chance(30)),
    );
    return { id: index + 1, name: `Type${index}`, fields };
  });
  const bodies: Struct[] = [];
  const body = (name: string): number => {
    const id = 100 + bodies.length;
    const used: Type = { kind: "struct", id: 1 + random.below(count) };
    const item = random.pick<Type>([used, { kind: "list", item: used }, { kind: "map", item: used }]);
    const fields = [
      { name: "id", type: { kind: "int64" } },
      { name: "item", type: item },
    ] satisfies Field[];
    bodies.push({ id, name, fields, isBody: true });
    return id;
  };
  const methods = ["Get", "Put", "Watch"].map((name, id) => ({
    id,
    name,
    isStream: name === "Watch",
    input: body(`${name}Request`),
    output: body(`${name}Response`),
  }));
  const errors = [1, 2, 3].map((code) => ({ name: `Error${code}`, code }));
  return { structs: [...structs, ...bodies], enums, methods, errors };
}

/** Structs contain only those with a lower number, or themselves in a list. */
function randomField(random: Random, name: string, struct: number, optional: boolean): Field {
  if (random.chance(8)) return { name, type: { kind: "list", item: { kind: "struct", id: struct + 1 } } };
  const scalar = random.pick<Type>([
    { kind: "string" },
    { kind: "int32" },
    { kind: "int64" },
    { kind: "bool" },
    { kind: "enum", id: 1 },
  ]);
  const deep =
    random.chance(25) && struct > 0 ? ({ kind: "struct", id: 1 + random.below(struct) } as const) : scalar;
  const type = random.chance(20) ? ({ kind: random.chance(50) ? "list" : "map", item: deep } as const) : deep;
  return {
    name,
    type,
    ...(optional && { optional }),
    ...(type.kind === "string" && random.chance(30) && { maxLength: 12 }),
  };
}

export function printSchema(schema: Schema, version: string): string {
  const typeText = (type: Type): string => {
    switch (type.kind) {
      case "struct":
        return structOf(schema, type.id).name;
      case "enum":
        return enumOf(schema, type.id).name;
      case "list":
        return `[]${typeText(type.item)}`;
      case "map":
        return `map<string,${typeText(type.item)}>`;
      default:
        return type.kind;
    }
  };
  const argument = ({ name, optional, type }: Field): string =>
    `${name}${optional ? "?" : ""}: ${typeText(type)}`;
  const body = (id: number): string => structOf(schema, id).fields.map(argument).join(", ");
  const metaOf = (field: Field): readonly string[] => [
    ...(field.default === undefined ? [] : [`default = ${field.default}`]),
    ...(field.maxLength === undefined ? [] : [`maxLength = ${field.maxLength}`]),
    ...(field.renamedFrom === undefined ? [] : [`renamedFrom = ${field.renamedFrom}`]),
  ];
  return [
    `webrpc = v1\nname = Api\nversion = ${version}\nbasepath = /rpc\n`,
    ...schema.enums.map(
      ({ name, values }) => `enum ${name}: string\n${values.map((value) => `  - ${value}\n`).join("")}`,
    ),
    ...schema.structs
      .filter(({ isBody }) => isBody !== true)
      .map(
        ({ name, fields }) =>
          `struct ${name}\n${fields
            .map(
              (field) =>
                `  - ${argument(field)}\n${metaOf(field)
                  .map((line) => `    + ${line}\n`)
                  .join("")}`,
            )
            .join("")}`,
      ),
    ...schema.errors.map(({ name, code }) => `error ${code} ${name} "${name}" HTTP 409\n`),
    `service Api\n${schema.methods
      .map(
        ({ name, renamedFrom, isStream, input, output }) =>
          `${renamedFrom === undefined ? "" : `  @renamedFrom:${renamedFrom}\n`}  - ${name}(${body(input)}) => ${isStream ? "stream " : ""}(${body(output)})\n`,
      )
      .join("")}`,
  ].join("\n");
}

export function structOf({ structs }: Schema, id: number): Struct {
  const found = structs.find((struct) => struct.id === id);
  if (found === undefined) throw new Error(`no struct ${id}`);
  return found;
}

export function enumOf({ enums }: Schema, id: number): Enum {
  const found = enums.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no enum ${id}`);
  return found;
}
