import type {
  AliasNode,
  Declaration,
  EnumNode,
  EnumValueNode,
  FieldNode,
  Name,
  StructNode,
} from "../../syntax/tree.ts";
import { enumKeys, enumValueKeys, keysOf, structKeys } from "../keys.ts";
import { isNothing, type YamlEntry, type YamlMap, type YamlNode } from "../nodes.ts";
import { readDocs } from "./docs.ts";
import { entriesOf, Parts } from "./entries.ts";
import { MetaParts } from "./meta.ts";
import type { Reading } from "./reading.ts";
import { readType } from "./type-text.ts";

type TypeNode = StructNode | EnumNode | AliasNode;

/** `types`: by name a struct, an enum or an alias. */
export function readTypes(node: YamlNode, reading: Reading): Declaration[] {
  return entriesOf(node, '"types"', reading).flatMap((entry) => {
    const name = reading.name(entry.key, "The name of a type");
    const type = name && readDeclaration(name, entry, reading);
    return type === undefined ? [] : [type];
  });
}

/** The key that is there says which it is; `type` decides where there are several. */
function readDeclaration(name: Name, { key, value }: YamlEntry, reading: Reading): TypeNode | undefined {
  const span = { start: key.span.start, end: Math.max(key.span.end, value.span.end) };
  if (value.kind !== "map" && !isNothing(value)) {
    const type = readType(value, `The type "${name.text}"`, reading);
    return type && { kind: "alias", name, type, meta: [], span };
  }
  const map = value.kind === "map" ? value : undefined;
  const has = (wanted: string): boolean => map?.entries.some((entry) => entry.key.text === wanted) ?? false;
  if (map !== undefined && has("type")) return readAlias(name, map, span, reading);
  if (map !== undefined && (has("enum") || has("values"))) return readEnum(name, map, span, reading);
  if (map !== undefined && has("fields")) return readStruct(name, map, span, reading);
  if (map !== undefined && map.entries.length > 0) {
    const keys = ["fields", "enum", "values", "type", "docs"];
    const guess = new Parts(map, keys, `the type "${name.text}"`, reading);
    if (
      guess.get("type") !== undefined ||
      guess.get("enum") !== undefined ||
      guess.get("fields") !== undefined
    )
      return readGuessed(name, guess, span, reading);
    if (guess.get("docs") === undefined) return undefined;
  }
  return reading.fault("yaml-type-kind", { name: name.text }, key.span);
}

/** A type whose telling key is misspelt, which is said: it is read, so that its name exists. */
function readGuessed(
  name: Name,
  parts: Parts,
  span: TypeNode["span"],
  reading: Reading,
): TypeNode | undefined {
  if (parts.get("fields") !== undefined) return structOf(name, parts, span, reading);
  if (parts.get("enum") !== undefined) return enumOf(name, parts, span, reading);
  const target = parts.get("type");
  const type = target && readType(target, `The type of "${name.text}"`, reading);
  return type && { kind: "alias", name, type, meta: [], span };
}

function readAlias(
  name: Name,
  map: YamlMap,
  span: AliasNode["span"],
  reading: Reading,
): AliasNode | undefined {
  const parts = new MetaParts(map, `the alias "${name.text}"`, reading);
  const target = parts.get("type");
  const type = target && readType(target, `The type of "${name.text}"`, reading);
  if (type === undefined) return undefined;
  const node: AliasNode = { kind: "alias", name, type, meta: parts.meta, span };
  readDocs(node, parts.get("docs"), reading);
  return node;
}

function readEnum(name: Name, map: YamlMap, span: EnumNode["span"], reading: Reading): EnumNode | undefined {
  return enumOf(name, new Parts(map, keysOf(enumKeys), `the enum "${name.text}"`, reading), span, reading);
}

function enumOf(name: Name, parts: Parts, span: EnumNode["span"], reading: Reading): EnumNode | undefined {
  const baseNode = parts.get("enum");
  if (baseNode === undefined)
    return reading.fault("yaml-missing-key", { what: `The enum "${name.text}"`, key: "enum" }, name.span, {
      advice: "Say what its values are: enum: string, or an integer type as enum: uint8.",
    });
  const base = reading.name(baseNode, `The base of "${name.text}"`);
  if (base === undefined) return undefined;
  const list = parts.get("values");
  const entries = list === undefined ? [] : entriesOf(list, `"values" of "${name.text}"`, reading);
  const values = entries.flatMap((entry) => readEnumValue(entry, reading) ?? []);
  const node: EnumNode = { kind: "enum", name, base, values, span };
  readDocs(node, parts.get("docs"), reading);
  return node;
}

function readEnumValue({ key, value }: YamlEntry, reading: Reading): EnumValueNode | undefined {
  const name = reading.name(key, "The name of an enum value");
  if (name === undefined) return undefined;
  const start = key.span.start;
  if (value.kind === "nothing")
    return { kind: "enum-value", name, value: undefined, span: { start, end: key.span.end } };
  const span = { start, end: value.span.end };
  const what = `The value of "${name.text}"`;
  if (value.kind !== "map") {
    const text = reading.text(value, what);
    return text && { kind: "enum-value", name, value: text, span };
  }
  const parts = new Parts(value, keysOf(enumValueKeys), `the enum value "${name.text}"`, reading);
  const written = parts.get("value");
  const text = written === undefined || written.kind === "nothing" ? undefined : reading.text(written, what);
  const node: EnumValueNode = { kind: "enum-value", name, value: text, span };
  readDocs(node, parts.get("docs"), reading);
  return node;
}

function readStruct(name: Name, map: YamlMap, span: StructNode["span"], reading: Reading): StructNode {
  return structOf(
    name,
    new Parts(map, keysOf(structKeys), `the struct "${name.text}"`, reading),
    span,
    reading,
  );
}

function structOf(name: Name, parts: Parts, span: StructNode["span"], reading: Reading): StructNode {
  const list = parts.get("fields");
  const entries = list === undefined ? [] : entriesOf(list, `"fields" of "${name.text}"`, reading);
  const fields = entries.flatMap((entry) => readField(entry, reading) ?? []);
  const node: StructNode = { kind: "struct", name, fields, span };
  readDocs(node, parts.get("docs"), reading);
  return node;
}

/** `id: uint64`, `nickname?: string`, or a map with the type and more. */
function readField({ key, value }: YamlEntry, reading: Reading): FieldNode | undefined {
  const named = reading.optionalName(key, "The name of a field");
  if (named === undefined) return undefined;
  const { name, optional } = named;
  const span = { start: key.span.start, end: Math.max(key.span.end, value.span.end) };
  const what = `The type of "${name.text}"`;
  if (value.kind !== "map") {
    const type = readType(value, what, reading);
    return type && { kind: "field", name, optional, type, meta: [], span };
  }
  const parts = new MetaParts(value, `the field "${name.text}"`, reading);
  const target = parts.get("type");
  if (target === undefined)
    return parts.hasFailed
      ? undefined
      : reading.fault("yaml-missing-key", { what: `The field "${name.text}"`, key: "type" }, key.span);
  const type = readType(target, what, reading);
  if (type === undefined) return undefined;
  const node: FieldNode = { kind: "field", name, optional, type, meta: parts.meta, span };
  readDocs(node, parts.get("docs"), reading);
  return node;
}
