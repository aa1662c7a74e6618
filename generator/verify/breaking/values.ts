import type { IntegerDescriptor, IntegerRange } from "../../language/model/core-types/descriptor.ts";
import { type CoreType, coreTypes } from "../../language/model/core-types/index.ts";
import {
  isAny,
  isBytes,
  type MapKeyType,
  type ResolvedType,
  type TypeReference,
} from "../../language/model/types.ts";
import { compareBounds } from "./bounds.ts";
import { compareEnums } from "./enums.ts";
import { compareFields } from "./fields.ts";
import { Findings, type SchemaItem } from "./findings.ts";
import { isPaired, locationsOf, modelsOf } from "./sides.ts";
import {
  aliasOf,
  aliasSlot,
  bareSlot,
  drain,
  enumOf,
  fieldSlot,
  resolveAliases,
  type SlotPair,
  structOf,
  typeText,
  type ValueSlot,
  type Walk,
} from "./walk.ts";

/**
 * Compares what is written at a place with what is read there. What the schema says of a named type is compared where that type
 * stands, once; only what a place says itself is told at the place. `overridden`: keys that nearer places have the last word on.
 */
export function compareValues(
  walk: Walk,
  pair: SlotPair,
  site: SchemaItem,
  overridden: ReadonlySet<string> = new Set(),
): void {
  const own = new Set([...overridden, ...pair.writer.own, ...pair.reader.own]);
  const aliases = pairedAliases(walk, pair);
  if (aliases === undefined) {
    compareBounds(walk, pair, site, (key) => !overridden.has(key));
    compareTypes(walk, pair, site);
    return;
  }
  compareBounds(walk, pair, site, (key) => own.has(key) && !overridden.has(key));
  const { writer, reader } = aliases;
  const key = `${writer.name} ${reader.name} ${[...own].sort().join()}`;
  if (walk.seen.has(key)) return;
  walk.seen.add(key);
  const [callers, server] = walk.direction === "request" ? [writer, reader] : [reader, writer];
  const places = locationsOf(walk.sides, callers.at, server.at, site.at);
  const aliasSite = { name: server.name, ...places };
  reportRename(walk, callers.name, server.name, aliasSite);
  compareValues(walk, { writer: aliasSlot(writer), reader: aliasSlot(reader) }, aliasSite, own);
}

function pairedAliases({ sides, direction }: Walk, pair: SlotPair) {
  const { writer, reader } = pair;
  if (writer.type.kind !== "alias" || reader.type.kind !== "alias") return undefined;
  if (!isPaired(sides, ...callersFirst(direction, writer.type, reader.type))) return undefined;
  const models = modelsOf(sides, direction);
  return {
    writer: aliasOf(models.writer, writer.type.name),
    reader: aliasOf(models.reader, reader.type.name),
  };
}

/** What callers have first, then what the server has. */
function callersFirst<Item>(direction: Walk["direction"], writer: Item, reader: Item): readonly [Item, Item] {
  return direction === "request" ? [writer, reader] : [reader, writer];
}

function compareTypes(walk: Walk, { writer, reader }: SlotPair, site: SchemaItem): void {
  const models = modelsOf(walk.sides, walk.direction);
  const from = resolveAliases(models.writer, writer.type);
  const to = resolveAliases(models.reader, reader.type);
  if (isAny(to)) return;
  if (isBytes(from) || isBytes(to)) {
    const fits = isBytes(from) && (isBytes(to) || (to.kind === "core" && to.name === "string"));
    if (!fits) reportType(walk, writer, reader, site);
  } else if (from.kind === "list" && to.kind === "list") {
    compareValues(
      walk,
      { writer: bareSlot(from.element, models.writer), reader: bareSlot(to.element, models.reader) },
      site,
    );
  } else if (from.kind === "map" && to.kind === "map") {
    if (!keyFits(walk, from.key, to.key)) reportType(walk, writer, reader, site);
    compareValues(
      walk,
      { writer: bareSlot(from.value, models.writer), reader: bareSlot(to.value, models.reader) },
      site,
    );
  } else if ((from.kind === "struct" || from.kind === "enum") && from.kind === to.kind) {
    compareNamed(walk, from, to as TypeReference, site);
  } else if (from.kind === "core" && to.kind === "core") {
    if (!coreFits(walk, { from: from.name, to: to.name }, { writer, reader }))
      reportType(walk, writer, reader, site);
    else reportCodeType(walk, from.name, to.name, site);
  } else if (!isTextEnum(walk, from, to)) reportType(walk, writer, reader, site);
}

/** A struct or an enum on both sides: at its own place if it is the same, else at the place that now has another. */
function compareNamed(walk: Walk, from: TypeReference, to: TypeReference, site: SchemaItem): void {
  const [callers, server] = callersFirst(walk.direction, from, to);
  const key = `${from.name} ${to.name}`;
  if (walk.seen.has(key)) return;
  if (isPaired(walk.sides, callers, server)) {
    walk.seen.add(key);
    walk.queue.push(() => compareDeclared(walk, from, to, site));
    return;
  }
  const findings = new Findings();
  // Two types may lead to each other again by many ways: what is found on one of them is told at the outermost place.
  const seen = walk.isTrial === true ? walk.seen : new Set(walk.seen);
  seen.add(key);
  const inner: Walk = { ...walk, findings, seen, queue: [], isTrial: true };
  compareDeclared(inner, from, to, site);
  drain(inner);
  if (findings.isEmpty || !findings.changesCalls) return;
  const rule = walk.direction === "request" ? "request-value-refused" : "response-value-unexpected";
  const soft = walk.direction === "request" ? "request-field-ignored" : "response-enum-value-unknown";
  const note = findings.reason;
  if (findings.breaks)
    walk.findings.add(
      rule,
      { name: site.name, callers: callers.name, server: server.name },
      site,
      "type",
      note,
    );
  else walk.findings.add(soft, { name: site.name, value: server.name }, site, "type", note);
}

/** What something unchanged refers to. */
export function compareReferenced(walk: Walk, name: string, site: SchemaItem): void {
  const { types } = walk.sides.unchanged;
  const leads = types.get(name);
  if (leads === undefined) {
    const kind = walk.sides.server.typeByName.get(name)?.kind;
    if (kind === "struct" || kind === "enum") compareNamed(walk, { kind, name }, { kind, name }, site);
    return;
  }
  const key = `${name} ${name}`;
  if (leads.length === 0 || walk.seen.has(key)) return;
  walk.seen.add(key);
  walk.queue.push(() => {
    for (const each of leads) compareReferenced(walk, each, site);
  });
}

function compareDeclared(walk: Walk, from: TypeReference, to: TypeReference, holder: SchemaItem): void {
  const leads = from.name === to.name ? walk.sides.unchanged.types.get(from.name) : undefined;
  if (leads !== undefined) {
    for (const each of leads) compareReferenced(walk, each, holder);
    return;
  }
  const models = modelsOf(walk.sides, walk.direction);
  const writer = models.writer.typeByName.get(from.name);
  const reader = models.reader.typeByName.get(to.name);
  if (writer === undefined || reader === undefined) return;
  const [callers, server] = callersFirst(walk.direction, writer, reader);
  const site = { name: server.name, ...locationsOf(walk.sides, callers.at, server.at, holder.at) };
  reportRename(walk, callers.name, server.name, site);
  if (from.kind === "enum")
    compareEnums(walk, enumOf(models.writer, from.name), enumOf(models.reader, to.name), site);
  else {
    const fields = {
      writer: structOf(models.writer, from.name).fields,
      reader: structOf(models.reader, to.name).fields,
    };
    compareFields(walk, fields, site, fieldSlot, compareValues);
  }
}

function reportRename({ findings, sides }: Walk, callers: string, server: string, site: SchemaItem): void {
  if (callers !== server && sides.renamed.get(callers) === server)
    findings.add("type-renamed", { callers, server }, site, "name");
}

function reportType(walk: Walk, writer: ValueSlot, reader: ValueSlot, site: SchemaItem): void {
  const [callers, server] = callersFirst(walk.direction, typeText(writer.type), typeText(reader.type));
  const rule = walk.direction === "request" ? "request-value-refused" : "response-value-unexpected";
  walk.findings.add(rule, { name: site.name, callers, server }, site, "type");
}

/** An integer that became a bigint is read as before; code that is compiled anew has another type. */
function reportCodeType(walk: Walk, from: CoreType, to: CoreType, site: SchemaItem): void {
  if (to !== "bigint" || from === "bigint") return;
  const [callers, server] = callersFirst(walk.direction, "a number", "a bigint");
  walk.findings.add("code-type-changed", { name: site.name, callers, server }, site, "type");
}

/** Names of an enum are text; integer enums may also be sent as numbers. */
function isTextEnum({ sides, direction }: Walk, from: ResolvedType, to: ResolvedType): boolean {
  if (from.kind !== "enum" || to.kind !== "core" || to.name !== "string") return false;
  const { base } = enumOf(modelsOf(sides, direction).writer, from.name);
  return base === "string" || direction === "response";
}

/** Whether all that is written as one core type can be read as another. */
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
  if (writer.kind !== "enum" || reader.kind !== "enum") return false;
  const known = new Set(enumOf(models.reader, reader.name).values.map(({ wire }) => wire));
  return enumOf(models.writer, writer.name).values.every(({ wire }) => known.has(wire));
}
