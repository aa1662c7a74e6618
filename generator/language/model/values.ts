/** The values in a schema, defaults and examples, and the rules that they break. */

import { counted } from "../diagnostics/tally.ts";
import type { Span } from "../source/span.ts";
import type { EnumNode, FieldNode, MetaNode, StructNode, TypeNode } from "../syntax/tree.ts";
import { conditionsOf, kindFieldOf } from "./conditions.ts";
import { type CoreKind, coreTypes, isCoreType } from "./core-types.ts";
import { enumValueOf, enumWireOf } from "./enum-values.ts";
import { fileForm } from "./files.ts";
import { groupLine, groupsOf } from "./groups.ts";
import { checkedFormat, hasFormat } from "./meta/keys.ts";
import { aliasesOf, type Constraints, constraintsOf, linesFor } from "./meta/read.ts";
import { wireNameOf } from "./rules/names.ts";
import { isDerived, type Scope } from "./scope.ts";

/** A rule that a value breaks. */
export interface ValueFault {
  /** Where the value is in that of the line: `/items/0`. */
  readonly path: string;
  /** Undefined if it is missing. */
  readonly value: unknown;
  /** Description of valid values: `at least 3`. */
  readonly wanted: string;
  /** Where the rule is declared. Absent for rules of core types. */
  readonly rule?: RulePosition | undefined;
}

/** A position in the declaration of a type; without `type`, in that of the value. */
export interface RulePosition {
  readonly type: string | undefined;
  readonly span: Span;
}

/** Reads the meta lines that apply to a type. Invalid lines have no effect: rules report them. */
export function readConstraints(own: readonly MetaNode[], type: TypeNode, scope: Scope): Constraints {
  const layers = linesFor(own, type, scope);
  if (!layers.some(hasValues)) return constraintsOf(layers);
  const slot = slotOf(own, type, scope);
  return constraintsOf(layers.map((lines) => lines.filter((line) => faultOf(line, slot) === undefined)));
}

/** Returns the faults of the values that apply to a type. `alias`: the one that has the line. */
export function faultsOfValues(
  own: readonly MetaNode[],
  type: TypeNode,
  scope: Scope,
): readonly { readonly line: MetaNode; readonly alias: string | undefined; readonly fault: ValueFault }[] {
  const layers = linesFor(own, type, scope);
  if (!layers.some(hasValues)) return [];
  const slot = slotOf(own, type, scope);
  const overridden = new Set<string>();
  return layers.flatMap((lines, index) => {
    const inEffect = lines.filter(({ key }) => !overridden.has(key.text));
    for (const { key } of lines) overridden.add(key.text);
    return inEffect.flatMap((line) => {
      const fault = faultOf(line, slot);
      return fault === undefined ? [] : [{ line, alias: slot.owners[index], fault }];
    });
  });
}

const valueKeys: readonly string[] = ["default", "default.empty", "example"];

function hasValues(lines: readonly MetaNode[]): boolean {
  return lines.some(({ key }) => valueKeys.includes(key.text));
}

/** A place for values: a type behind its aliases, and the rules that apply. */
interface Slot {
  readonly type: TypeNode;
  readonly layers: readonly (readonly MetaNode[])[];
  /** For each layer, the declaration that has the lines. */
  readonly owners: readonly (string | undefined)[];
  readonly rules: Constraints;
  readonly scope: Scope;
}

function slotOf(own: readonly MetaNode[], type: TypeNode, scope: Scope, owner?: string): Slot {
  const aliases = aliasesOf(type, scope);
  const layers = linesFor(own, type, scope);
  const owners = [owner, ...aliases.map(({ name }) => name.text)];
  return { type: aliases.at(-1)?.type ?? type, layers, owners, rules: constraintsOf(layers), scope };
}

function faultOf({ key, value: { value: text } }: MetaNode, slot: Slot): ValueFault | undefined {
  const isEmpty = key.text === "default.empty" && text === "true";
  const isValue = key.text === "default" || key.text === "example";
  const value = isEmpty ? emptyOf(slot) : isValue ? parse(text, slot) : undefined;
  if (!isValue && value === undefined) return undefined;
  if (value === undefined) return { path: "", value: text, ...formOf(slot) };
  const isLowered = key.text === "default" && slot.rules.normalize === "lowercase";
  const inEffect = isLowered && typeof value === "string" ? value.toLowerCase() : value;
  for (const fault of faultsOf(inEffect, slot, "")) return fault;
  return undefined;
}

/** Returns undefined for types without an empty value. */
function emptyOf({ type, scope }: Slot): unknown {
  if (type.kind === "list" && !isBytes(type)) return [];
  if (type.kind === "map" || declaredType(type, scope)?.kind === "struct") return {};
  return type.kind === "list" || (type.kind === "named" && type.name === "string") ? "" : undefined;
}

/** Parses a text as a value in JSON. Returns undefined for a text of another type. */
function parse(text: string, { type, scope }: Slot): unknown {
  const declared = declaredType(type, scope);
  if (type.kind === "named" && isCoreType(type.name)) {
    const { kind, isValue } = coreTypes[type.name];
    if (!isValue(text)) return undefined;
    return ["null", "boolean", "number"].includes(jsonKinds[kind]) ? JSON.parse(text) : text;
  }
  if (declared?.kind === "enum") {
    const index = declared.values.findIndex(({ name }, at) =>
      [name.text, enumValueOf(declared, at), enumWireOf(declared, at)].includes(text),
    );
    return index === -1 ? undefined : enumWireOf(declared, index);
  }
  if (isBytes(type) || (declared === undefined && type.kind !== "list" && type.kind !== "map")) return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function declaredType(type: TypeNode, scope: Scope): EnumNode | StructNode | undefined {
  const found = type.kind === "named" ? scope.typeByName.get(type.name)?.node : undefined;
  return found?.kind === "alias" ? undefined : found;
}

function isBytes(type: TypeNode): boolean {
  return type.kind === "list" && type.element.kind === "named" && type.element.name === "byte";
}

/** The kinds of JSON that core types have. */
const jsonKinds: Readonly<Record<CoreKind, string>> = {
  null: "null",
  any: "any",
  boolean: "boolean",
  integer: "number",
  float: "number",
  bigint: "string",
  text: "string",
  formatted: "string",
};

/** Deepest nesting that servers accept. */
const maxDepth = 64;

/** Compares a value with the form that it has in responses. */
function* faultsOf(value: unknown, slot: Slot, path: string): Generator<ValueFault> {
  if (path.split("/").length > maxDepth)
    yield { path, value, wanted: `nested in at most ${maxDepth} levels` };
  else if (!hasForm(value, slot)) yield { path, value, ...formOf(slot) };
  else {
    for (const { key, wanted } of brokenRules(value, slot)) {
      const index = slot.layers.findIndex((lines) => lines.some((line) => line.key.text === key));
      const line = slot.layers[index]?.findLast((each) => each.key.text === key);
      yield { path, value, wanted, rule: line && { type: slot.owners[index], span: line.span } };
    }
    yield* faultsInside(value, slot, path);
  }
}

function hasForm(value: unknown, { type, scope }: Slot): boolean {
  if (type.kind === "list") return isBytes(type) ? isBase64(value) : Array.isArray(value);
  if (type.kind === "map") return isObject(value);
  if (type.kind === "named" && isCoreType(type.name)) {
    const { kind, isValue } = coreTypes[type.name];
    const found = value === null ? "null" : typeof value;
    return kind === "any" || (found === jsonKinds[kind] && isValue(String(value)));
  }
  const declared = declaredType(type, scope);
  if (declared?.kind === "enum")
    return declared.values.some((_, index) => enumWireOf(declared, index) === value);
  return declared === undefined || isObject(value);
}

/** Describes the values of a type without its limits. */
function formOf({ type, scope }: Slot): Pick<ValueFault, "wanted" | "rule"> {
  if (type.kind === "list") return { wanted: isBytes(type) ? "base64 text" : "a list in JSON" };
  if (type.kind === "named" && isCoreType(type.name)) return { wanted: coreTypes[type.name].description };
  const declared = declaredType(type, scope);
  if (declared?.kind !== "enum") return { wanted: "an object in JSON" };
  const names = declared.values.map((_, index) => `"${enumWireOf(declared, index)}"`).join(" or ");
  const rule = { type: declared.name.text, span: declared.name.span };
  return { wanted: names || "a value of the enum", rule };
}

interface BrokenRule {
  readonly key: keyof Constraints;
  readonly wanted: string;
}

function brokenRules(value: unknown, { type, rules }: Slot): readonly BrokenRule[] {
  const core = type.kind === "named" && isCoreType(type.name) ? coreTypes[type.name].kind : undefined;
  const count = (unit: string) => (limit: number | bigint) => counted(Number(limit), unit);
  switch (core) {
    case "integer":
    case "float":
      return brokenLimits(Number(value), "imum", rules, "", String);
    case "bigint":
      return brokenLimits(BigInt(String(value)), "imum", rules, "", String);
    case "text":
    case "formatted":
      return brokenTextRules(String(value), core, rules, count("character"));
    case undefined:
      if (isBytes(type)) {
        const size = Buffer.from(String(value), "base64").length;
        return brokenLimits(size, "Items", rules, "base64 text of ", count("byte"));
      }
      if (Array.isArray(value))
        return brokenLimits(value.length, "Items", rules, "a list of ", count("item"));
      return type.kind === "map"
        ? brokenLimits(Object.keys(Object(value)).length, "Items", rules, "an object with ", count("key"))
        : [];
    default:
      return [];
  }
}

function brokenLimits(
  size: number | bigint,
  end: "imum" | "Length" | "Items",
  rules: Constraints,
  noun: string,
  words: (limit: number | bigint) => string,
): readonly BrokenRule[] {
  const [low, high] = [`min${end}`, `max${end}`] as const;
  const { [low]: min = size, [high]: max = size } = rules;
  if (size < min) return [{ key: low, wanted: `${noun}at least ${words(min)}` }];
  return size > max ? [{ key: high, wanted: `${noun}at most ${words(max)}` }] : [];
}

function brokenTextRules(
  text: string,
  core: "text" | "formatted",
  rules: Constraints,
  words: (limit: number | bigint) => string,
): readonly BrokenRule[] {
  const { pattern, format, normalize } = rules;
  const found = [...brokenLimits([...text].length, "Length", rules, "text of ", words)];
  if (pattern !== undefined && !new RegExp(pattern, "u").test(text))
    found.push({ key: "pattern", wanted: `text that matches ${pattern}` });
  if (core === "formatted") return found;
  if (!hasFormat(text, format))
    found.push({ key: "format", wanted: checkedFormat(format)?.expected ?? "text" });
  if (normalize === "lowercase" && text !== text.toLowerCase())
    found.push({ key: "normalize", wanted: "lower-case text" });
  return found;
}

function* faultsInside(value: unknown, { type, scope }: Slot, path: string): Generator<ValueFault> {
  if (type.kind === "list" && Array.isArray(value)) {
    const slot = slotOf([], type.element, scope);
    for (const [index, item] of value.entries()) yield* faultsOf(item, slot, `${path}/${index}`);
  } else if (type.kind === "map") {
    const [keys, values] = [slotOf([], type.key, scope), slotOf([], type.value, scope)];
    for (const [key, item] of Object.entries(Object(value))) {
      const inner = stepInto(path, key);
      if (parse(key, keys) === undefined) yield { path: inner, value: key, ...formOf(keys) };
      yield* faultsOf(item, values, inner);
    }
  } else {
    const struct = declaredType(type, scope);
    if (struct?.kind === "struct") yield* faultsOfFields(Object(value), struct, scope, path);
  }
}

function* faultsOfFields(
  value: Readonly<Record<string, unknown>>,
  struct: StructNode,
  scope: Scope,
  path: string,
): Generator<ValueFault> {
  const groups = groupsOf(struct, scope);
  const { name: declared } = isDerived(struct) ? struct.source.node : struct;
  const type = declared.text;
  const isPartial = isDerived(struct) && struct.isPartial;
  const isSet = (field: FieldNode): boolean => (fieldOf(value, field) ?? undefined) !== undefined;
  for (const field of struct.fields) {
    const name = wireNameOf(field);
    if (name === undefined || fileForm(field.type) !== undefined) continue;
    const slot = slotOf(field.meta, field.type, scope, type);
    const inner = fieldOf(value, field);
    const { nullable, default: preset } = slot.rules;
    const mayBeAbsent = isPartial || field.optional || nullable !== undefined || preset !== undefined;
    if (inner === undefined ? mayBeAbsent : inner === null && nullable !== undefined) continue;
    const rule = { type, span: field.name.span };
    const at = stepInto(path, name);
    if (inner === undefined) yield { path: at, value: inner, wanted: "set", rule };
    else yield* faultsOf(inner, slot, at);
  }
  const kind = isPartial ? undefined : kindFieldOf(struct, scope);
  for (const [field, conditions] of conditionsOf(struct, scope)) {
    const given = kind && fieldOf(value, kind);
    const condition = conditions.find((one) => one.value === given);
    const isWrong = isSet(field) ? condition === undefined : condition?.isOptional === false;
    if (kind === undefined || typeof given !== "string" || !isWrong) continue;
    const wanted = `${condition === undefined ? "absent" : "set"}, because "${wireNameOf(kind)}" is "${given}"`;
    const at = stepInto(path, wireNameOf(field) ?? "");
    yield { path: at, value: fieldOf(value, field), wanted, rule: { type, span: field.name.span } };
  }
  for (const group of new Set(groups.values())) {
    const members = struct.fields.filter((field) => groups.get(field) === group);
    if (members.filter(isSet).length === 1) continue;
    const names = members.map((field) => `"${wireNameOf(field)}"`).join(", ");
    const line = members[0] && groupLine(members[0]);
    yield { path, value, wanted: `an object with one of ${names}`, rule: line && { type, span: line.span } };
  }
}

/** Ignores inherited names, such as `constructor`. */
function fieldOf(value: Readonly<Record<string, unknown>>, field: FieldNode): unknown {
  const name = wireNameOf(field);
  return name !== undefined && Object.hasOwn(value, name) ? value[name] : undefined;
}

function stepInto(path: string, step: string): string {
  return `${path}/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** RFC 4648 with padding. */
function isBase64(value: unknown): boolean {
  return typeof value === "string" && Buffer.from(value, "base64").toString("base64") === value;
}
