/**
 * Converts a contract to Protocol Buffers for their generators. Features that they lack (bigints, exclusive errors) become text or are
 * omitted.
 */
import type {
  ArgumentModel,
  Model,
  PayloadModel,
  TypeModel,
} from "../../../generator/language/model/model.ts";
import type { ResolvedType } from "../../../generator/language/model/types.ts";

export function protoOf({ types, services }: Model): string {
  const head = [
    'syntax = "proto3";',
    "package bench;",
    'import "google/protobuf/struct.proto";',
    'import "google/protobuf/timestamp.proto";',
  ];
  const methods = services.map(({ name, methods }) =>
    block(
      `service ${name}`,
      methods.map(
        (method) =>
          `rpc ${method.name}(${bodyName(method.input, `${method.name}Request`)}) returns (${bodyName(method.output, `${method.name}Response`)});`,
      ),
    ),
  );
  const bodies = services.flatMap(({ methods }) =>
    methods.flatMap(({ name, input, output }) => [
      ...body(input, `${name}Request`),
      ...body(output, `${name}Response`),
    ]),
  );
  return `${[...head, ...types.map(declaration), ...bodies, ...methods].join("\n")}\n`;
}

function declaration(type: TypeModel): string {
  switch (type.kind) {
    case "enum": {
      const prefix = type.name.toUpperCase();
      const values = ["UNSPECIFIED", ...type.values.map(({ name }) => name)];
      return block(
        `enum ${type.name}`,
        values.map((value, index) => `${prefix}_${value} = ${index};`),
      );
    }
    case "struct":
      return message(type.name, type.fields);
    case "alias":
      throw new Error(`${type.name}: Protocol Buffers have no aliases`);
  }
}

function bodyName(payload: PayloadModel, own: string): string {
  return payload.kind === "struct" ? payload.name : own;
}

function body(payload: PayloadModel, name: string): readonly string[] {
  return payload.kind === "struct" ? [] : [message(name, payload.arguments)];
}

type Field = Pick<ArgumentModel, "name" | "optional" | "type">;

function message(name: string, fields: readonly Field[]): string {
  const lines = fields.map(({ name: field, optional, type }, index) => {
    const isSingle = type.kind !== "list" && type.kind !== "map";
    return `${optional && isSingle ? "optional " : ""}${typeText(type)} ${field} = ${index + 1};`;
  });
  return block(`message ${name}`, lines);
}

function block(title: string, lines: readonly string[]): string {
  return [`${title} {`, ...lines.map((line) => `  ${line}`), "}"].join("\n");
}

function typeText(type: ResolvedType): string {
  switch (type.kind) {
    case "core":
      return coreTypes[type.name] ?? type.name;
    case "list":
      return `repeated ${typeText(type.element)}`;
    case "map":
      return `map<string, ${typeText(type.value)}>`;
    case "unknown":
      return "google.protobuf.Value";
    default:
      return type.name;
  }
}

/** Core types with another name in Protocol Buffers. */
const coreTypes: Readonly<Record<string, string>> = {
  any: "google.protobuf.Value",
  bigint: "string",
  float64: "double",
  timestamp: "google.protobuf.Timestamp",
};
