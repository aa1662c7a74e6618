/** Resolves a type to the form fields that it needs, one level at a time, because types may be recursive. */
import type { IrField, IrMethod, IrType, Schema } from "./ir.ts";

/** The meta keys of a field, such as constraints and examples. They override the meta keys of its alias types. */
export type Meta = Readonly<Record<string, string>>;

/** A type as a field uses it: `[]Address` with the meta keys of the field. */
export interface TypeReference {
  readonly type: string;
  readonly meta: Meta;
}

export interface Field {
  /** The name on the wire. */
  readonly name: string;
  readonly reference: TypeReference;
  readonly isOptional: boolean;
  /** Exactly one field of the group is set. */
  readonly group?: string | undefined;
  /** The kinds for which the field is set, and whether it may be absent for them. */
  readonly when?: { readonly kind: string; readonly isOptional: ReadonlyMap<string, boolean> } | undefined;
  readonly comments: readonly string[];
}

export type ScalarKind =
  | "text"
  | "integer"
  | "decimal"
  | "bigint"
  | "bool"
  | "timestamp"
  | "any"
  | "null"
  | "file";

export type Shape =
  | { readonly kind: ScalarKind; readonly meta: Meta }
  | {
      readonly kind: "enum";
      readonly meta: Meta;
      readonly name: string;
      readonly values: readonly EnumValue[];
    }
  | { readonly kind: "list"; readonly meta: Meta; readonly item: TypeReference }
  | { readonly kind: "map"; readonly meta: Meta; readonly key: TypeReference; readonly value: TypeReference }
  | {
      readonly kind: "struct";
      readonly meta: Meta;
      readonly name: string;
      readonly fields: readonly Field[];
    };

export interface EnumValue {
  readonly name: string;
  readonly wire: string;
  readonly comments: readonly string[];
}

export function shapeOf(schema: Schema, { type, meta }: TypeReference): Shape {
  let reference: TypeReference = { type: type.trim(), meta };
  // Cycles of aliases are invalid, but must not hang the page.
  for (const seen = new Set<string>(); !seen.has(reference.type); ) {
    seen.add(reference.type);
    const list = itemOf(reference.type);
    if (list !== undefined) return listShape(reference.meta, list);
    const map = entryOf(reference.type);
    if (map !== undefined) {
      const [key, value] = map;
      return {
        kind: "map",
        meta: reference.meta,
        key: { type: key, meta: {} },
        value: { type: value, meta: {} },
      };
    }
    const named = schema.types.get(reference.type);
    if (named === undefined) return { kind: scalars[reference.type] ?? "any", meta: reference.meta };
    if (named.kind === "alias") {
      reference = { type: named.type ?? "any", meta: { ...metaOf(named.meta), ...reference.meta } };
      continue;
    }
    if (named.kind === "struct") {
      return {
        kind: "struct",
        meta: reference.meta,
        name: named.name,
        fields: (named.fields ?? []).flatMap((field) => fieldOf(field, named, schema)),
      };
    }
    const values = (named.fields ?? []).map((value) => ({
      name: value.name,
      wire:
        named.type === "string" ? (value.value ?? value.name) : (metaOf(value.meta)["json"] ?? value.name),
      comments: value.comments ?? [],
    }));
    return { kind: "enum", meta: reference.meta, name: named.name, values };
  }
  return { kind: "any", meta: reference.meta };
}

/** A list of bytes is a base64 string on the wire. */
function listShape(meta: Meta, item: string): Shape {
  if (item === "byte") return { kind: "text", meta: { contentEncoding: "base64", ...meta } };
  return { kind: "list", meta, item: { type: item, meta: {} } };
}

/** The body of a method's request or response, as a struct. */
export function bodyShape(
  schema: Schema,
  { succinct }: IrMethod,
  args: IrMethod["inputs"],
): Extract<Shape, { kind: "struct" }> {
  const [only] = args;
  if (succinct === true && only !== undefined) {
    const shape = shapeOf(schema, { type: only.type, meta: {} });
    if (shape.kind === "struct") return shape;
  }
  const fields = args.map(({ name, type, optional }) => ({
    name,
    reference: { type, meta: {} },
    isOptional: optional === true,
    comments: [],
  }));
  return { kind: "struct", meta: {}, name: "", fields };
}

/** Whether a request is sent as a form, because a field is a file. Files are in arguments, or in fields of an argument. */
export function hasFiles(schema: Schema, shape: Shape, depth = 0): boolean {
  if (shape.kind === "file") return true;
  // Recursive types end here.
  if (depth > 3) return false;
  if (shape.kind === "list") return hasFiles(schema, shapeOf(schema, shape.item), depth + 1);
  if (shape.kind !== "struct" || depth > 1) return false;
  return shape.fields.some(({ reference }) => hasFiles(schema, shapeOf(schema, reference), depth + 1));
}

/** Returns no field for `json = -`, which is never written. */
function fieldOf(field: IrField, struct: IrType, schema: Schema): readonly Field[] {
  const { type = "any", optional, meta, comments = [] } = field;
  const own = metaOf(meta);
  const name = wireNameOf(field);
  if (name === "-") return [];
  return [
    {
      name,
      reference: { type, meta: own },
      isOptional: optional === true,
      group: own["oneOf"],
      when: conditionsOf(field, struct, schema),
      comments,
    },
  ];
}

function wireNameOf({ name, meta }: IrField): string {
  return metaOf(meta)["json"]?.split(",")[0] || name;
}

/** Reads the lines `when = kind.card`. */
function conditionsOf({ meta = [] }: IrField, { fields = [] }: IrType, schema: Schema): Field["when"] {
  const conditions = meta.flatMap((line) => {
    const [kind = "", value = ""] = (line["when"] ?? "").split(".");
    return value === "" ? [] : [{ kind, value: value.replace(/[?]$/, ""), isOptional: value.endsWith("?") }];
  });
  const kind = fields.find(({ name }) => name === conditions[0]?.kind);
  const shape = kind && shapeOf(schema, { type: kind.type ?? "any", meta: {} });
  if (kind === undefined || shape?.kind !== "enum") return undefined;
  const isOptional = conditions.flatMap((one) => {
    const found = shape.values.find(({ name }) => name === one.value);
    return found === undefined ? [] : [[found.wire, one.isOptional] as const];
  });
  return { kind: wireNameOf(kind), isOptional: new Map(isOptional) };
}

/** Keeps the first value of a repeated key. */
export function metaOf(meta: readonly Readonly<Record<string, string>>[] | undefined): Meta {
  const all: Record<string, string> = {};
  for (const one of meta ?? []) for (const [key, value] of Object.entries(one)) all[key] ??= String(value);
  return all;
}

/** `[]Order` → `Order` */
export function itemOf(type: string): string | undefined {
  return type.startsWith("[]") ? type.slice(2).trim() : undefined;
}

/** `map<string,[]Field>` → `["string", "[]Field"]`. Key types contain no comma. */
export function entryOf(type: string): readonly [string, string] | undefined {
  const [, key, value] = /^map<([^,]+),(.+)>$/.exec(type) ?? [];
  return key === undefined || value === undefined ? undefined : [key.trim(), value.trim()];
}

const integers = "byte int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64".split(" ");

const scalars: Readonly<Record<string, ScalarKind>> = {
  ...Object.fromEntries(integers.map((name) => [name, "integer" as const])),
  float32: "decimal",
  float64: "decimal",
  string: "text",
  bool: "bool",
  bigint: "bigint",
  timestamp: "timestamp",
  null: "null",
  any: "any",
  file: "file",
};

/** Whether values of a type contain others. */
export function hasParts({ kind }: Shape): boolean {
  return kind === "struct" || kind === "list" || kind === "map";
}
