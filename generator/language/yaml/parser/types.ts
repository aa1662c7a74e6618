import type { DiagnosticExtras } from "../../diagnostics/diagnostic.ts";
import { coreTypeNamedLike, coreTypes, isCoreType } from "../../model/core-types.ts";
import { isMetaKeyName, metaKeys, type Shape } from "../../model/meta/keys.ts";
import { adviseMetaKey } from "../../model/meta/unknown-keys.ts";
import type { TypePlace } from "../../syntax/foreign-types.ts";
import type {
  AliasNode,
  Declaration,
  EnumNode,
  EnumValueNode,
  FieldNode,
  MetaNode,
  Name,
  StructNode,
} from "../../syntax/tree.ts";
import { enumKeys, enumValueKeys, keysOf, structKeys, typedKeys } from "../keys.ts";
import { isEmptyNode, type YamlEntry, type YamlList, type YamlMap, type YamlNode } from "../nodes.ts";
import {
  entriesOf,
  MapReader,
  type ReadContext,
  readDocs,
  reportUnknownKey,
  suggestKey,
  textOf,
  withoutBrackets,
} from "./read-context.ts";
import { readType } from "./type-text.ts";

type TypeNode = StructNode | EnumNode | AliasNode;

/** `types`: structs, enums and aliases by name. */
export function readTypes(node: YamlNode, context: ReadContext): Declaration[] {
  return entriesOf(node, '"types"', context).flatMap((entry) => {
    const name = context.name(entry.key, "The name of a type");
    const type = name && readDeclaration(name, entry, context);
    return type === undefined ? [] : [type];
  });
}

/**
 * The keys decide whether a type is an alias, an enum or a struct. With `fields`, it is a struct: `type: object` is a habit of JSON
 * Schema.
 */
function readDeclaration(name: Name, { key, value }: YamlEntry, context: ReadContext): TypeNode | undefined {
  const span = { start: key.span.start, end: Math.max(key.span.end, value.span.end) };
  if (value.kind !== "map" && !isEmptyNode(value)) {
    const type = readType(value, aliasPlace(name), context);
    return type && { kind: "alias", name, type, meta: [], span };
  }
  const map = value.kind === "map" ? value : undefined;
  const has = (wanted: string): boolean => map?.entries.some((entry) => entry.key.text === wanted) ?? false;
  if (map !== undefined && has("type") && !has("fields")) return readAlias(name, map, span, context);
  if (map !== undefined && (has("enum") || has("values"))) return readEnum(name, map, span, context);
  if (map !== undefined && has("fields")) return readStruct(name, map, span, context);
  if (map !== undefined && map.entries.length > 0) {
    const keys = ["fields", "enum", "values", "type", "docs"];
    const parts = new MapReader(map, keys, `the type "${name.text}"`, context);
    if (
      parts.get("type") !== undefined ||
      parts.get("enum") !== undefined ||
      parts.get("fields") !== undefined
    )
      return readWithMisspelledKey(name, parts, span, context);
    if (parts.get("docs") === undefined) return undefined;
  }
  return context.fault("yaml-type-kind", { name: name.text }, key.span);
}

function aliasPlace({ text }: Name): TypePlace {
  return { kind: "alias", name: text, optional: false };
}

/** Reads a type by a misspelled key, which has been reported, so that references to the type are valid. */
function readWithMisspelledKey(
  name: Name,
  parts: MapReader,
  span: TypeNode["span"],
  context: ReadContext,
): TypeNode | undefined {
  if (parts.get("fields") !== undefined) return structOf(name, parts, span, context);
  if (parts.get("enum") !== undefined) return enumOf(name, parts, span, context);
  const target = parts.get("type");
  const type = target && readType(target, aliasPlace(name), context);
  return type && { kind: "alias", name, type, meta: [], span };
}

function readAlias(
  name: Name,
  map: YamlMap,
  span: AliasNode["span"],
  context: ReadContext,
): AliasNode | undefined {
  const parts = new MetaMapReader(map, `the alias "${name.text}"`, context);
  const target = parts.get("type");
  const type = target && readType(target, aliasPlace(name), context);
  if (type === undefined) return undefined;
  const node: AliasNode = { kind: "alias", name, type, meta: parts.meta, span };
  readDocs(node, parts.get("docs"), context);
  return node;
}

function readEnum(
  name: Name,
  map: YamlMap,
  span: EnumNode["span"],
  context: ReadContext,
): EnumNode | undefined {
  return enumOf(
    name,
    new MapReader(map, keysOf(enumKeys), `the enum "${name.text}"`, context),
    span,
    context,
  );
}

function enumOf(
  name: Name,
  parts: MapReader,
  span: EnumNode["span"],
  context: ReadContext,
): EnumNode | undefined {
  const baseNode = parts.get("enum");
  if (baseNode === undefined)
    return context.fault("yaml-missing-key", { what: `The enum "${name.text}"`, key: "enum" }, name.span, {
      advice: "State the type of its values: enum: string, or an integer type such as enum: uint8.",
    });
  const what = `The base of "${name.text}"`;
  if (baseNode.kind === "list" && parts.get("values") === undefined)
    return context.mismatch(baseNode, what, "a type such as string or uint8", {
      advice: 'List the values below "values".',
    });
  const base = context.name(baseNode, what);
  if (base === undefined) return undefined;
  const list = parts.get("values");
  const entries = list === undefined ? [] : entriesOf(list, `"values" of "${name.text}"`, context);
  const values = entries.flatMap((entry) => readEnumValue(entry, context) ?? []);
  const node: EnumNode = { kind: "enum", name, base, values, span };
  readDocs(node, parts.get("docs"), context);
  return node;
}

function readEnumValue({ key, value }: YamlEntry, context: ReadContext): EnumValueNode | undefined {
  const name = context.name(key, "The name of an enum value");
  if (name === undefined) return undefined;
  const start = key.span.start;
  if (value.kind === "nothing")
    return { kind: "enum-value", name, value: undefined, meta: [], span: { start, end: key.span.end } };
  const span = { start, end: value.span.end };
  const what = `The value of "${name.text}"`;
  if (value.kind !== "map") {
    const text = context.text(value, what);
    return text && { kind: "enum-value", name, value: text, meta: [], span };
  }
  const parts = new MetaMapReader(value, `the enum value "${name.text}"`, context, "enum-value");
  const written = parts.get("value");
  const text = written === undefined || written.kind === "nothing" ? undefined : context.text(written, what);
  const node: EnumValueNode = { kind: "enum-value", name, value: text, meta: parts.meta, span };
  readDocs(node, parts.get("docs"), context);
  return node;
}

function readStruct(name: Name, map: YamlMap, span: StructNode["span"], context: ReadContext): StructNode {
  return structOf(
    name,
    new MapReader(map, keysOf(structKeys), `the struct "${name.text}"`, context),
    span,
    context,
  );
}

function structOf(name: Name, parts: MapReader, span: StructNode["span"], context: ReadContext): StructNode {
  const list = parts.get("fields");
  const entries = list === undefined ? [] : entriesOf(list, `"fields" of "${name.text}"`, context);
  const fields = entries.flatMap((entry) => readField(entry, context) ?? []);
  const node: StructNode = { kind: "struct", name, fields, span };
  readDocs(node, parts.get("docs"), context);
  return node;
}

/** `id: uint64`, `nickname?: string`, or a map with the type and more. */
function readField({ key, value }: YamlEntry, context: ReadContext): FieldNode | undefined {
  const named = context.optionalName(key, "The name of a field");
  if (named === undefined) return undefined;
  const { name, optional } = named;
  const span = { start: key.span.start, end: Math.max(key.span.end, value.span.end) };
  const place = { kind: "field", name: name.text, optional } as const;
  if (value.kind !== "map") {
    const type = readType(value, place, context);
    return type && { kind: "field", name, optional, type, meta: [], span };
  }
  const parts = new MetaMapReader(value, `the field "${name.text}"`, context);
  const target = parts.get("type");
  if (target === undefined)
    return parts.hasFailed
      ? undefined
      : context.fault("yaml-missing-key", { what: `The field "${name.text}"`, key: "type" }, key.span);
  const type = readType(target, place, context);
  if (type === undefined) return undefined;
  const node: FieldNode = { kind: "field", name, optional, type, meta: parts.meta, span };
  readDocs(node, parts.get("docs"), context);
  return node;
}

/** The keys of a map. `meta`, and keys of other tools, which contain a dot, may follow. */
interface MetaMapKeys {
  readonly structural: readonly string[];
  /** Meta keys that are written directly in the map. */
  readonly direct: readonly string[];
}

const ofTyped: MetaMapKeys = { structural: keysOf(typedKeys), direct: Object.keys(metaKeys) };

const ofEnumValue: MetaMapKeys = {
  structural: keysOf(enumValueKeys).filter((key) => key !== "json"),
  direct: ["json"],
};

/**
 * Reads the map of a field, an alias or an enum value, with meta keys next to its own keys. Keys of ridlkit and keys with a dot,
 * which belong to other tools, are allowed there directly. Any other key goes under `meta`, so that a typo is not taken for a
 * custom key.
 */
class MetaMapReader {
  readonly meta: readonly MetaNode[];
  /** Whether a key was rejected. If so, a missing key may just be misspelled, and is not reported. */
  readonly hasFailed: boolean;
  readonly #parts = new Map<string, YamlNode>();

  constructor(map: YamlMap, what: string, context: ReadContext, kind: "typed" | "enum-value" = "typed") {
    const { structural, direct } = kind === "typed" ? ofTyped : ofEnumValue;
    const known = [...structural, ...direct];
    const shape = kind === "typed" ? shapeIn(map) : "other";
    const before = context.diagnostics.length;
    const given = new Set(map.entries.map(({ key }) => key.text));
    const meta: MetaNode[] = [];
    for (const entry of entriesOf(map, what, context)) {
      const { text } = entry.key;
      const key =
        known.includes(text) || text.includes(".")
          ? text
          : reportUnknownKey(
              entry.key,
              suggestKey(text, structural) ?? adviseMetaKey(text, shape, direct),
              what,
              context,
            );
      // A misspelled key is read as the one that was meant, unless the map has that key as well.
      if (key === undefined || (key !== text && given.has(key))) continue;
      if (key === "meta") {
        for (const own of entriesOf(entry.value, '"meta"', context))
          meta.push(...readMeta(own, own.key.text, context));
      } else if (structural.includes(key)) this.#parts.set(key, entry.value);
      else meta.push(...readMeta(entry, key, context));
    }
    this.meta = meta;
    this.hasFailed = context.diagnostics.length > before;
  }

  get(key: "type" | "value" | "docs"): YamlNode | undefined {
    return this.#parts.get(key);
  }
}

/** The shape of a type that is written in place; undefined for a name, whose declaration may follow. */
function shapeIn({ entries }: YamlMap): Shape | undefined {
  const type = entries.find(({ key }) => key.text === "type")?.value;
  if (type?.kind !== "scalar") return undefined;
  if (/^\[|\]$/.test(type.text)) return "list";
  if (type.text.startsWith("map<")) return "map";
  const core = isCoreType(type.text) ? type.text : coreTypeNamedLike(type.text)?.name;
  return core === undefined ? undefined : coreTypes[core].shape;
}

export function isMetaKey(key: string): boolean {
  return isMetaKeyName(key) || key.includes(".");
}

/** Whether a list gives several values to the key. */
export function mayRepeat(key: string): boolean {
  return !isMetaKeyName(key) || metaKeys[key].repeatable === true;
}

/** Reads a value, or a list of values for a key that may repeat: `alias: [chainID, chain_id]`. */
function readMeta({ key, value }: YamlEntry, text: string, context: ReadContext): MetaNode[] {
  const name = { text, span: key.span };
  const what = `"${text}"`;
  const isRepeatable = mayRepeat(text);
  if (value.kind === "map" || (value.kind === "list" && (!isRepeatable || value.items.length === 0))) {
    const wanted = isRepeatable ? "a string, or a list of strings" : "a string";
    context.mismatch(value, what, wanted, adviceOnValue(text, value));
    return [];
  }
  const nodes = value.kind === "list" ? value.items : [value];
  return nodes.flatMap((node) => {
    // Meta values may be empty, unlike other strings: an IR file can contain empty ones.
    const scalar = node.kind === "scalar" && node.quoted ? node : context.scalar(node, what);
    if (scalar === undefined) return [];
    return [{ key: name, value: textOf(scalar), span: { start: key.span.start, end: scalar.span.end } }];
  });
}

/** How to write a list or a map as the string that the meta key takes. */
function adviceOnValue(key: string, value: YamlMap | YamlList): DiagnosticExtras {
  const items =
    value.kind === "list" ? value.items.map((item) => (item.kind === "scalar" ? item.text : "")) : [];
  const [first = ""] = items;
  if (key === "default" || key === "example")
    return { advice: `Write its JSON as a string: '${jsonOf(value).replaceAll("'", "''")}'.` };
  if (key === "accepts" && first !== "")
    return { advice: `Write all forms as one string: "${items.join(",")}".` };
  if (key === "pattern" && first !== "")
    return { advice: `Put the pattern in quotes: "[${items.join(",")}]".` };
  return items.length === 1 ? withoutBrackets(first) : {};
}

function jsonOf(node: YamlNode): string {
  switch (node.kind) {
    case "map":
      return `{${node.entries.map(({ key, value }) => `${JSON.stringify(key.text)}:${jsonOf(value)}`).join(",")}}`;
    case "list":
      return `[${node.items.map(jsonOf).join(",")}]`;
    case "scalar":
      return !node.quoted && /^(-?(0|[1-9][0-9]*)([.][0-9]+)?|true|false|null)$/.test(node.text)
        ? node.text
        : JSON.stringify(node.text);
    case "nothing":
      return "null";
  }
}
