import { hasCoreConversion } from "../../codegen/plan/versions/conversions.ts";
import {
  type CoreType,
  coreTypes,
  type IntegerDescriptor,
  type IntegerRange,
} from "../../language/model/core-types.ts";
import { checkedFormat } from "../../language/model/meta/keys.ts";
import { isBranded } from "../../language/model/meta/read.ts";
import type { AliasModel, EnumModel } from "../../language/model/model.ts";
import {
  isAny,
  isBytes,
  type MapKeyType,
  type ResolvedType,
  ridlText,
  type TypeReference,
} from "../../language/model/types.ts";
import { matchingText } from "../samples/pattern-text.ts";
import { seededRandom } from "../samples/random.ts";
import { compareFields } from "./fields.ts";
import { type FindingExtras, Findings, type SchemaItem } from "./findings.ts";
import {
  aliasOf,
  bareSlot,
  declaredSlot,
  drain,
  enumOf,
  isPaired,
  locationsOf,
  modelsOf,
  resolveAliases,
  type SlotPair,
  structOf,
  type ValueSlot,
  type Walk,
} from "./sides.ts";

/**
 * Compares what one version writes into a slot with what the other reads from it. Constraints of a named type are compared once, at the
 * declaration of the type. Only the slot's own constraints are reported at the slot. `overridden`: keys
 * that an outer slot sets, such as the field whose type is this alias.
 */
export function compareValues(
  walk: Walk,
  pair: SlotPair,
  item: SchemaItem,
  overridden: ReadonlySet<string> = new Set(),
): void {
  const own = new Set([...overridden, ...pair.writer.own, ...pair.reader.own]);
  const aliases = pairedAliases(walk, pair);
  if (aliases === undefined) {
    compareBounds(walk, pair, item, (key) => !overridden.has(key));
    compareTypes(walk, pair, item);
    return;
  }
  compareBounds(walk, pair, item, (key) => own.has(key) && !overridden.has(key));
  const { writer, reader } = aliases;
  const key = `${writer.name} ${reader.name} ${[...own].sort().join()}`;
  if (walk.seen.has(key)) return;
  walk.seen.add(key);
  const [callers, server] = walk.direction === "request" ? [writer, reader] : [reader, writer];
  const locations = locationsOf(walk.sides, callers.at, server.at, item.at);
  const aliasItem = { name: server.name, ...locations };
  reportRename(walk, callers, server, aliasItem);
  reportBrand(walk, callers, server, aliasItem);
  compareValues(walk, { writer: declaredSlot(writer), reader: declaredSlot(reader) }, aliasItem, own);
}

function pairedAliases({ sides, direction }: Walk, pair: SlotPair) {
  const { writer, reader } = pair;
  if (writer.type.kind !== "alias" || reader.type.kind !== "alias") return undefined;
  if (!isPaired(sides, ...clientsFirst(direction, writer.type, reader.type))) return undefined;
  const models = modelsOf(sides, direction);
  return {
    writer: aliasOf(models.writer, writer.type.name),
    reader: aliasOf(models.reader, reader.type.name),
  };
}

/** Orders a pair as callers, then server. */
function clientsFirst<Item>(direction: Walk["direction"], writer: Item, reader: Item): readonly [Item, Item] {
  return direction === "request" ? [writer, reader] : [reader, writer];
}

function compareTypes(walk: Walk, { writer, reader }: SlotPair, item: SchemaItem): void {
  const models = modelsOf(walk.sides, walk.direction);
  const from = resolveAliases(models.writer, writer.type);
  const to = resolveAliases(models.reader, reader.type);
  if (isAny(to)) return;
  if (isBytes(from) || isBytes(to)) {
    const fits = isBytes(from) && (isBytes(to) || (to.kind === "core" && to.name === "string"));
    if (!fits) reportType(walk, writer, reader, item, true);
  } else if (from.kind === "list" && to.kind === "list") {
    compareValues(
      walk,
      { writer: bareSlot(from.element, models.writer), reader: bareSlot(to.element, models.reader) },
      item,
    );
  } else if (from.kind === "map" && to.kind === "map") {
    if (!keyFits(walk, from.key, to.key)) reportKeys(walk, { writer, reader }, from.key, to.key, item);
    compareValues(
      walk,
      { writer: bareSlot(from.value, models.writer), reader: bareSlot(to.value, models.reader) },
      item,
    );
  } else if ((from.kind === "struct" || from.kind === "enum") && from.kind === to.kind) {
    compareNamed(walk, from, to as TypeReference, item);
  } else if (from.kind === "core" && to.kind === "core") {
    if (!coreFits(walk, { from: from.name, to: to.name }, { writer, reader }))
      reportType(walk, writer, reader, item, !hasCoreConversion(from.name, to.name));
    else reportCodeType(walk, from.name, to.name, item);
  } else if (!isTextEnum(walk, from, to)) reportType(walk, writer, reader, item, true);
}

/** Compares two structs or two enums: at their declaration if they are the same type, otherwise at the slot whose type changed. */
function compareNamed(walk: Walk, from: TypeReference, to: TypeReference, item: SchemaItem): void {
  const [callers, server] = clientsFirst(walk.direction, from, to);
  const key = `${from.name} ${to.name}`;
  if (walk.seen.has(key)) return;
  if (isPaired(walk.sides, callers, server)) {
    walk.seen.add(key);
    walk.queue.push(() => compareDeclared(walk, from, to, item));
    return;
  }
  const findings = new Findings();
  // Each slot compares the types for itself, so that each reports the change at its own location. Comparisons inside this one share
  // `seen`; otherwise they would take exponential time.
  const seen = walk.isTrial === true ? walk.seen : new Set(walk.seen);
  seen.add(key);
  const inner: Walk = { ...walk, findings, seen, queue: [], isTrial: true };
  compareDeclared(inner, from, to, item);
  drain(inner);
  if (findings.isEmpty || !findings.changesCalls) return;
  const rule = walk.direction === "request" ? "request-value-rejected" : "response-value-unexpected";
  const note = findings.reason;
  const { isConvertible } = findings;
  if (findings.breaks)
    walk.findings.add(rule, { name: item.name, callers: callers.name, server: server.name }, item, "type", {
      note,
      isConvertible,
    });
  else if (walk.direction === "request")
    walk.findings.add(
      "request-field-ignored",
      { name: item.name, what: "parts of which the server ignores" },
      item,
      "type",
      { note, isConvertible },
    );
  else
    walk.findings.add("response-enum-value-unknown", { name: item.name, value: server.name }, item, "type", {
      note,
      isConvertible,
    });
}

/** Compares a type that an unchanged declaration refers to. */
export function compareReferenced(walk: Walk, name: string, item: SchemaItem): void {
  const { types } = walk.sides.unchanged;
  const references = types.get(name);
  if (references === undefined) {
    const kind = walk.sides.server.typeByName.get(name)?.kind;
    if (kind === "struct" || kind === "enum") compareNamed(walk, { kind, name }, { kind, name }, item);
    return;
  }
  const key = `${name} ${name}`;
  if (references.length === 0 || walk.seen.has(key)) return;
  walk.seen.add(key);
  walk.queue.push(() => {
    for (const each of references) compareReferenced(walk, each, item);
  });
}

function compareDeclared(walk: Walk, from: TypeReference, to: TypeReference, holder: SchemaItem): void {
  const references = from.name === to.name ? walk.sides.unchanged.types.get(from.name) : undefined;
  if (references !== undefined) {
    for (const each of references) compareReferenced(walk, each, holder);
    return;
  }
  const models = modelsOf(walk.sides, walk.direction);
  const writer = models.writer.typeByName.get(from.name);
  const reader = models.reader.typeByName.get(to.name);
  if (writer === undefined || reader === undefined) return;
  const [callers, server] = clientsFirst(walk.direction, writer, reader);
  const locations = locationsOf(walk.sides, callers.at, server.at, holder.at);
  const source = server.kind === "struct" ? server.derivedFrom : undefined;
  const item: SchemaItem = {
    name: server.name,
    ...locations,
    ...(source !== undefined && { derived: { struct: server.name, source } }),
  };
  reportRename(walk, callers, server, item);
  if (from.kind === "enum")
    compareEnums(walk, enumOf(models.writer, from.name), enumOf(models.reader, to.name), item);
  else {
    const fields = {
      writer: structOf(models.writer, from.name).fields,
      reader: structOf(models.reader, to.name).fields,
    };
    compareFields(walk, fields, item, declaredSlot, compareValues);
  }
}

function reportRename(
  { findings, sides }: Walk,
  callers: TypeReference,
  server: TypeReference,
  item: SchemaItem,
): void {
  if (callers.name !== server.name && isPaired(sides, callers, server))
    findings.add("type-renamed", { callers: callers.name, server: server.name }, item, "name");
}

/** `isConvertible`: no rule converts a value to the other type, so the compiler requires a function. */
function reportType(
  walk: Walk,
  writer: ValueSlot,
  reader: ValueSlot,
  item: SchemaItem,
  isConvertible: boolean,
): void {
  reportTexts(walk, ridlText(writer.type), ridlText(reader.type), item, { isConvertible });
}

/** Names a key of an enum that the reader does not know, because both types may have the same text. */
function reportKeys(
  walk: Walk,
  { writer, reader }: SlotPair,
  from: MapKeyType,
  to: MapKeyType,
  item: SchemaItem,
): void {
  const unknown = unknownKey(walk, from, to);
  const written = `${ridlText(writer.type)}${unknown === undefined ? "" : ` with the key "${unknown}"`}`;
  reportTexts(walk, written, ridlText(reader.type), item, { note: "The keys differ.", isConvertible: true });
}

function reportTexts(
  walk: Walk,
  written: string,
  read: string,
  item: SchemaItem,
  extras?: FindingExtras,
): void {
  const [callers, server] = clientsFirst(walk.direction, written, read);
  const rule = walk.direction === "request" ? "request-value-rejected" : "response-value-unexpected";
  walk.findings.add(rule, { name: item.name, callers, server }, item, "type", extras);
}

/** A server that now uses bigint still reads integers, but recompiled code has another type. */
function reportCodeType(walk: Walk, from: CoreType, to: CoreType, item: SchemaItem): void {
  if (to !== "bigint" || from === "bigint") return;
  const [callers, server] = clientsFirst(walk.direction, "a number", "a bigint");
  walk.findings.add("code-type-changed", { name: item.name, callers, server }, item, "type");
}

function reportBrand({ findings }: Walk, callers: AliasModel, server: AliasModel, item: SchemaItem): void {
  const describe = (alias: AliasModel): string => (isBranded(alias) ? "a type of its own" : "a plain value");
  if (isBranded(callers) !== isBranded(server))
    findings.add(
      "code-type-changed",
      { name: item.name, callers: describe(callers), server: describe(server) },
      item,
      "brand",
    );
}

/** An enum can become a string, because its values are sent as strings. In requests, integer enums may also be sent as numbers. */
function isTextEnum({ sides, direction }: Walk, from: ResolvedType, to: ResolvedType): boolean {
  if (from.kind !== "enum" || to.kind !== "core" || to.name !== "string") return false;
  const { base } = enumOf(modelsOf(sides, direction).writer, from.name);
  return base === "string" || direction === "response";
}

/** Whether every value of one core type can be read as the other. */
function coreFits(
  { direction }: Walk,
  { from, to }: { readonly from: CoreType; readonly to: CoreType },
  pair: SlotPair,
): boolean {
  if (from === to) return true;
  const [written, read] = [coreTypes[from], coreTypes[to]];
  if (written.kind === "integer" && read.kind === "integer")
    return isWithin(rangeOf(written, pair.writer), rangeOf(read, pair.reader));
  if (written.kind === "float" && read.kind === "float") return written.max <= read.max;
  const side = written.widensTo[read.kind];
  return side === "always" || side === direction;
}

function rangeOf({ range: { low, high } }: IntegerDescriptor, { constraints }: ValueSlot): IntegerRange {
  return {
    low: Math.max(low, Number(constraints.minimum ?? low)),
    high: Math.min(high, Number(constraints.maximum ?? high)),
  };
}

function isWithin(inner: IntegerRange, outer: IntegerRange): boolean {
  return inner.low >= outer.low && inner.high <= outer.high;
}

function keyFits(walk: Walk, from: MapKeyType, to: MapKeyType): boolean {
  const models = modelsOf(walk.sides, walk.direction);
  const writer = resolveAliases(models.writer, from);
  const reader = resolveAliases(models.reader, to);
  if (reader.kind === "core" && reader.name === "string") return true;
  if (writer.kind === "core" && reader.kind === "core") {
    const [written, read] = [coreTypes[writer.name], coreTypes[reader.name]];
    return written.kind === "integer" && read.kind === "integer" && isWithin(written.range, read.range);
  }
  return writer.kind === "enum" && reader.kind === "enum" && unknownKey(walk, from, to) === undefined;
}

/** A value of an enum that the reader does not know as a key. */
function unknownKey(walk: Walk, from: MapKeyType, to: MapKeyType): string | undefined {
  const models = modelsOf(walk.sides, walk.direction);
  const writer = resolveAliases(models.writer, from);
  const reader = resolveAliases(models.reader, to);
  if (writer.kind !== "enum" || reader.kind !== "enum") return undefined;
  const known = new Set(enumOf(models.reader, reader.name).values.map(({ wire }) => wire));
  return enumOf(models.writer, writer.name).values.find(({ wire }) => !known.has(wire))?.wire;
}

/** The server rejects unknown values in requests. Clients pass on unknown values in responses, unless their enums are closed. */
function compareEnums(walk: Walk, writer: EnumModel, reader: EnumModel, item: SchemaItem): void {
  const known = new Set(reader.values.map(({ wire }) => wire));
  for (const value of writer.values.filter(({ wire }) => !known.has(wire))) {
    const [callers, server] = walk.direction === "request" ? [value.at, undefined] : [undefined, value.at];
    const locations = locationsOf(walk.sides, callers, server, item.at);
    const rule = walk.direction === "request" ? "request-enum-value-rejected" : "response-enum-value-unknown";
    walk.findings.add(
      rule,
      { name: item.name, value: value.wire },
      { name: item.name, ...locations },
      `value:${value.wire}`,
    );
  }
  if (walk.direction === "request") compareNumbers(walk, writer, reader, item);
}

/** Requests may send the number of an enum value. A number with a new meaning is dangerous, because the call still succeeds. */
function compareNumbers({ findings }: Walk, callers: EnumModel, server: EnumModel, item: SchemaItem): void {
  if (callers.base === "string" || server.base === "string") return;
  const serverNames = namesByNumber(server);
  for (const [number, wire] of namesByNumber(callers)) {
    const serverName = serverNames.get(number);
    const isKnown = server.values.some((value) => value.wire === wire);
    if (serverName === wire || !isKnown) continue;
    const parameters = { name: item.name, number, callers: wire, server: serverName ?? "nothing" };
    findings.add("enum-number-changed", parameters, item, "numbers");
  }
}

/** If several values share a number, the first one counts. */
function namesByNumber({ values }: EnumModel): ReadonlyMap<string, string> {
  return new Map(values.map(({ value, wire }) => [value, wire] as const).reverse());
}

/** Compares the constraints of a slot, key by key. `isReportedHere` selects the keys that are compared at this slot. */
function compareBounds(
  walk: Walk,
  pair: SlotPair,
  item: SchemaItem,
  isReportedHere: (key: string) => boolean,
): void {
  for (const [key, isLow] of bounds) {
    if (isReportedHere(key) && isTighter(walk, key, isLow, pair)) reportBound(walk, key, pair, item);
  }
  if (isReportedHere("pattern")) comparePatterns(walk, pair, item);
  if (isReportedHere("format")) compareFormats(walk, pair, item);
  if (isReportedHere("accepts")) compareForms(walk, pair, item);
  if (isReportedHere("normalize")) compareLetterCase(walk, pair, item);
}

const bounds = [
  ["minimum", true],
  ["maximum", false],
  ["minLength", true],
  ["maxLength", false],
  ["minItems", true],
  ["maxItems", false],
] as const;

type Bound = (typeof bounds)[number][0];

/** Whether the writer may send values outside of the reader's limit. */
function isTighter(walk: Walk, key: Bound, isLow: boolean, { writer, reader }: SlotPair): boolean {
  const models = modelsOf(walk.sides, walk.direction);
  const [from, to] = [resolveAliases(models.writer, writer.type), resolveAliases(models.reader, reader.type)];
  const written = boundOf(writer, key, from.kind === "core" ? from.name : undefined);
  const read = boundOf(reader, key, to.kind === "core" ? to.name : undefined);
  if (read === undefined) return false;
  // Different ranges of the types themselves are reported as a type change.
  if (key.endsWith("imum") && from.kind === "core" && to.kind === "core" && from.name !== to.name) {
    if (reader.constraints[key] === undefined) return false;
  }
  if (written === undefined) return true;
  return isLow ? read > written : read < written;
}

/** The limit from the schema, or the implicit limit of the type. */
function boundOf(
  { constraints }: ValueSlot,
  key: Bound,
  core: CoreType | undefined,
): number | bigint | undefined {
  const given = constraints[key];
  if (key === "minLength" || key === "minItems") return given ?? 0;
  const type = core === undefined ? undefined : coreTypes[core];
  if (type?.kind !== "integer") return given;
  const { low, high } = type.range;
  if (key === "minimum") return given === undefined || given < low ? low : given;
  if (key === "maximum") return given === undefined || given > high ? high : given;
  return given;
}

function reportBound(walk: Walk, key: Bound, { writer, reader }: SlotPair, item: SchemaItem): void {
  const describe = ({ constraints }: ValueSlot): string =>
    constraints[key] === undefined ? `no ${key}` : `${key} = ${constraints[key]}`;
  reportConstraint(walk, describe(writer), describe(reader), item, `bound:${key}`);
}

function reportConstraint(walk: Walk, writer: string, reader: string, item: SchemaItem, edit: string): void {
  const { findings, direction } = walk;
  if (direction === "request")
    findings.add("request-bound-tightened", { name: item.name, callers: writer, server: reader }, item, edit);
  else
    findings.add("response-bound-loosened", { name: item.name, callers: reader, server: writer }, item, edit);
}

/** Whether the reader of a slot expects a plain text. */
function isText({ sides, direction }: Walk, { type }: ValueSlot): boolean {
  const resolved = resolveAliases(modelsOf(sides, direction).reader, type);
  return resolved.kind === "core" && resolved.name === "string";
}

/** Servers check some formats of text, and then no value of another form is valid. */
function compareFormats(walk: Walk, { writer, reader }: SlotPair, item: SchemaItem): void {
  const [from, to] = [writer.constraints.format, reader.constraints.format];
  if (from === to || checkedFormat(to) === undefined || !isText(walk, reader)) return;
  const describe = (format: string | undefined): string =>
    format === undefined ? "no format" : `format = ${format}`;
  reportConstraint(walk, describe(from), describe(to), item, "bound:format");
}

/** Number of strings that are tried when a pattern changed. */
const sampleCount = 300;

/** No algorithm compares arbitrary patterns, so strings that match the old pattern are tried on the new one. */
function comparePatterns(walk: Walk, { writer, reader }: SlotPair, item: SchemaItem): void {
  const [from, to] = [writer.constraints.pattern, reader.constraints.pattern];
  if (to === undefined || from === to) return;
  if (walk.direction === "response") {
    reportConstraint(
      walk,
      from === undefined ? "no pattern" : `the pattern ${from}`,
      `the pattern ${to}`,
      item,
      "pattern",
    );
    return;
  }
  const sample = from === undefined ? "any text" : counterexample(from, to, writer);
  if (sample !== undefined)
    walk.findings.add("request-pattern-tightened", { name: item.name, sample }, item, "pattern");
}

/** A quoted string that matches `from` but not `to`; "some text" if `from` is too complex to generate strings for. */
function counterexample(from: string, to: string, { constraints }: ValueSlot): string | undefined {
  const random = seededRandom(1);
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = constraints;
  try {
    const [before, after] = [new RegExp(from, "u"), new RegExp(to, "u")];
    for (let count = 0; count < sampleCount; count++) {
      const text = matchingText(from, random);
      const length = [...text].length;
      if (length >= minLength && length <= maxLength && before.test(text) && !after.test(text))
        return JSON.stringify(text);
    }
    return undefined;
  } catch {
    return "some text";
  }
}

function compareForms({ direction, findings }: Walk, { writer, reader }: SlotPair, item: SchemaItem): void {
  if (direction === "response") return;
  const removed = writer.constraints.accepts.find((form) => !reader.constraints.accepts.includes(form));
  if (removed !== undefined && reader.type.kind !== "unknown")
    findings.add("request-form-rejected", { name: item.name, form: `as ${removed}` }, item, "accepts");
}

function compareLetterCase(
  { direction, findings }: Walk,
  { writer, reader }: SlotPair,
  item: SchemaItem,
): void {
  const [from, to] = [writer.constraints.normalize, reader.constraints.normalize];
  if (from === to || (direction === "response" && to === undefined)) return;
  const describe = (normalize: "lowercase" | undefined): string =>
    normalize === undefined ? "unchanged text" : "lower-case text";
  const [callers, server] = direction === "request" ? [from, to] : [to, from];
  findings.add(
    "normalize-changed",
    { name: item.name, callers: describe(callers), server: describe(server) },
    item,
    "letters",
  );
}
