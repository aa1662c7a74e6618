import type { Location } from "../../language/diagnostics/diagnostic.ts";
import type { Condition } from "../../language/model/conditions.ts";
import type { Constraints } from "../../language/model/meta/read.ts";
import type { Model, PayloadModel } from "../../language/model/model.ts";
import { type ResolvedType, ridlText } from "../../language/model/types.ts";
import type { SchemaItem } from "./findings.ts";
import {
  enumOf,
  locationsOf,
  modelsOf,
  resolveAliases,
  type SlotPair,
  structOf,
  type ValueSlot,
  type Walk,
} from "./sides.ts";

/** A field of a struct, or an argument, which has no location of its own. */
export interface ComparedField {
  readonly name: string;
  readonly wireName?: string | undefined;
  readonly queryName?: string;
  readonly optional: boolean;
  readonly type: ResolvedType;
  readonly constraints: Constraints;
  readonly aliases?: readonly string[];
  readonly twins?: readonly string[];
  readonly group?: string | undefined;
  readonly when?: readonly Condition[] | undefined;
  readonly at?: Location;
}

export function fieldsOf(payload: PayloadModel, model: Model): readonly ComparedField[] {
  return payload.kind === "struct" ? structOf(model, payload.name).fields : payload.arguments;
}

interface FieldLists<Field extends ComparedField> {
  readonly writer: readonly Field[];
  readonly reader: readonly Field[];
}

type CompareSlots = (walk: Walk, pair: SlotPair, item: SchemaItem) => void;

/** Compares the fields of a body. Matches them by their names on the wire, the only names that both sides see. */
export function compareFields<Field extends ComparedField>(
  walk: Walk,
  lists: FieldLists<Field>,
  holder: SchemaItem,
  slotOf: (field: Field, side: "writer" | "reader") => ValueSlot,
  compare: CompareSlots,
): void {
  const writers = lists.writer.filter((field) => wireOf(field) !== undefined);
  const readers = lists.reader.filter((field) => wireOf(field) !== undefined);
  const pairs = new Map<Field, Field>();
  for (const writer of writers) {
    const reader = readers.find((one) => reads(walk, one, writer));
    if (reader !== undefined) pairs.set(writer, reader);
  }
  const matched = new Set(pairs.values());
  const removedFields = writers.filter((field) => !pairs.has(field));
  const missing = readers.filter((field) => !matched.has(field));
  for (const [writer, reader] of pairs) {
    const item = itemOf(walk, { writer, reader }, holder);
    comparePresence(walk, writer, reader, item);
    compareNames(walk, writer, reader, item);
    compare(walk, { writer: slotOf(writer, "writer"), reader: slotOf(reader, "reader") }, item);
  }
  const declared = declaredRenames(walk, missing, removedFields);
  compareGroups(walk, { writer: writers, reader: readers }, pairs, declared, holder);
  compareKinds(walk, readers, pairs, declared, holder);
  const others = removedFields.filter((field) => ![...declared.values()].includes(field));
  for (const field of missing) {
    const old = declared.get(field) ?? fieldOfSameType(field, others);
    const rest = { ...(old === undefined ? {} : { writer: old }), reader: field };
    const note = old && renameNote(walk, field, old, declared.has(field));
    const name = qualifiedName(holder, wireOf(field) ?? "");
    reportMissing(
      walk,
      { field, name, old, isRenamed: declared.has(field) },
      itemOf(walk, rest, holder),
      note,
    );
    if (old === undefined) continue;
    removedFields.splice(removedFields.indexOf(old), 1);
    if (others.includes(old)) others.splice(others.indexOf(old), 1);
  }
  for (const field of removedFields) reportIgnored(walk, itemOf(walk, { writer: field }, holder));
}

function wireOf({ wireName, name, at }: ComparedField): string | undefined {
  // An argument has only one name. A field without a wire name is never sent.
  return at === undefined ? name : wireName;
}

/** Whether the reader reads a name that the writer writes. */
function reads({ direction }: Walk, reader: ComparedField, writer: ComparedField): boolean {
  const wire = wireOf(reader);
  if (wire === wireOf(writer)) return true;
  return direction === "request"
    ? (reader.aliases ?? []).includes(wireOf(writer) ?? "")
    : (writer.twins ?? []).includes(wire ?? "");
}

function itemOf(
  { sides, direction }: Walk,
  { writer, reader }: { readonly writer?: ComparedField; readonly reader?: ComparedField },
  holder: SchemaItem,
): SchemaItem {
  const [callers, server] = direction === "request" ? [writer, reader] : [reader, writer];
  const shown = (sides.newSide === "server" ? server : callers) ?? callers ?? server;
  return {
    name: qualifiedName(holder, (shown && wireOf(shown)) ?? ""),
    derived: holder.derived,
    ...locationsOf(sides, callers?.at, server?.at, holder.at),
  };
}

/** `Pet.age`, or `Pets.GetPet(age)` for an argument. */
function qualifiedName({ name }: SchemaItem, field: string): string {
  return name.endsWith(")") ? `${name.slice(0, -1)}${field})` : `${name}.${field}`;
}

/** Whether a request may omit the field. */
function isOptionalInRequest(field: ComparedField): boolean {
  return field.optional || isAlwaysNull(field) || field.constraints.default !== undefined;
}

function isAlwaysNull({ constraints }: ComparedField): boolean {
  return constraints.nullable === "always";
}

/** Whether every response contains the field, possibly as null. */
function isAlwaysPresent(field: ComparedField): boolean {
  return !field.optional || isAlwaysNull(field);
}

function comparePresence(
  { direction, findings }: Walk,
  writer: ComparedField,
  reader: ComparedField,
  item: SchemaItem,
): void {
  const { name } = item;
  if (direction === "request") {
    if (!isOptionalInRequest(reader) && isOptionalInRequest(writer))
      findings.add("request-field-required", { name, how: "may omit it" }, item, "presence");
    else {
      compareDefaults(findings, writer, reader, item);
      compareNulls(findings, writer, reader, item);
    }
    return;
  }
  if (isAlwaysPresent(reader) && !isAlwaysPresent(writer))
    findings.add("response-field-missing", { name, how: "may omit it" }, item, "presence");
  else if (isAlwaysNull(writer) && !isAlwaysNull(reader))
    findings.add("response-field-missing", { name, how: "may return null" }, item, "presence");
}

function compareDefaults(
  findings: Walk["findings"],
  writer: ComparedField,
  reader: ComparedField,
  item: SchemaItem,
): void {
  const [callers, server] = [writer.constraints.default, reader.constraints.default];
  // Callers never omit a required field.
  if (callers === server || !isOptionalInRequest(writer)) return;
  const describe = (value: string | undefined): string => (value === undefined ? "no default" : `"${value}"`);
  findings.add(
    "default-changed",
    { name: item.name, callers: describe(callers), server: describe(server) },
    item,
    "default",
  );
}

/**
 * Null is a value of its own with `nullable = always` and no default, and otherwise means absent. Servers that keep the earlier
 * version convert the latter.
 */
function compareNulls(
  findings: Walk["findings"],
  writer: ComparedField,
  reader: ComparedField,
  item: SchemaItem,
): void {
  const isValue = (field: ComparedField): boolean =>
    isAlwaysNull(field) && field.constraints.default === undefined;
  // Callers send no null for a required field.
  if (isValue(writer) === isValue(reader) || !isOptionalInRequest(writer)) return;
  const describe = (field: ComparedField): string =>
    isValue(field) ? "a value of its own" : "an absent field";
  findings.add(
    "null-changed",
    { name: item.name, callers: describe(writer), server: describe(reader) },
    item,
    "null",
    { isConvertible: isValue(reader) },
  );
}

/** Reports the groups of the reader of which the writer may set no field, or several. */
function compareGroups<Field extends ComparedField>(
  walk: Walk,
  { writer, reader }: FieldLists<Field>,
  pairs: ReadonlyMap<Field, Field>,
  renames: ReadonlyMap<Field, Field>,
  holder: SchemaItem,
): void {
  const converted = new Map([...pairs, ...[...renames].map(([now, old]) => [old, now] as const)]);
  for (const group of new Set(reader.flatMap((field) => field.group ?? []))) {
    const members = reader.filter((field) => field.group === group);
    const { isEnsured, other } = ensures(writer, members, pairs);
    if (isEnsured) continue;
    walk.findings.add(
      walk.direction === "request" ? "request-group-narrowed" : "response-group-widened",
      { name: holder.name, fields: members.map(wireOf).join(", ") },
      other === undefined ? holder : itemOf(walk, { writer: other }, holder),
      other === undefined ? `group ${group}` : "names",
      { isConvertible: ensures(writer, members, converted).isEnsured },
    );
  }
}

/** Whether the writer always sets exactly one of the fields. `other`: what it may set in place of them. */
function ensures<Field extends ComparedField>(
  writer: readonly Field[],
  members: readonly Field[],
  pairs: ReadonlyMap<Field, Field>,
): { readonly isEnsured: boolean; readonly other: Field | undefined } {
  const isMember = (field: Field): boolean => members.includes(pairs.get(field) as Field);
  const [first, ...more] = writer.filter(isMember);
  if (first?.group === undefined) {
    const isSet = first !== undefined && !isOptionalInRequest(first);
    return { isEnsured: isSet && more.length === 0, other: undefined };
  }
  const other = writer.find((field) => field.group === first.group && !isMember(field));
  return { isEnsured: other === undefined && more.every(({ group }) => group === first.group), other };
}

/**
 * Reports the fields that the reader requires or excludes for a kind that the writer knows, and that the writer may omit or
 * set.
 */
function compareKinds(
  walk: Walk,
  reader: readonly ComparedField[],
  pairs: ReadonlyMap<ComparedField, ComparedField>,
  renames: ReadonlyMap<ComparedField, ComparedField>,
  holder: SchemaItem,
): void {
  const name = reader.find(({ when }) => when !== undefined)?.when?.[0]?.kind;
  const kind = reader.find((field) => wireOf(field) === name);
  const sources = new Map([...pairs].map(([from, to]) => [to, from]));
  const source = kind && sources.get(kind);
  if (kind === undefined || source === undefined) return;
  const models = modelsOf(walk.sides, walk.direction);
  const known = valuesOf(kind, models.reader) ?? [];
  const sent = valuesOf(source, models.writer) ?? known;
  const values = known.filter((value) => sent.includes(value));
  for (const field of reader.filter(({ when }) => when !== undefined)) {
    const from = sources.get(field);
    const renamed = renames.get(field);
    for (const need of ["required", "absent"] as const) {
      const wrong = (one: ComparedField | undefined): readonly string[] =>
        values.filter((value) => {
          const given = one === undefined ? "absent" : presenceFor(one, value, wireOf(source));
          return presenceFor(field, value, name) === need && given !== need;
        });
      const broken = wrong(from);
      if (broken.length === 0) continue;
      const parameters = {
        name: qualifiedName(holder, wireOf(field) ?? ""),
        kind: wireOf(kind) ?? "",
        values: broken.map((value) => `"${value}"`).join(" or "),
        reader: needs[walk.direction][need],
        writer: need === "required" ? "omit" : "set",
      };
      const item = itemOf(walk, { reader: field, ...(from === undefined ? {} : { writer: from }) }, holder);
      walk.findings.add(
        walk.direction === "request" ? "request-kind-narrowed" : "response-kind-widened",
        parameters,
        item,
        "kind",
        { isConvertible: renamed !== undefined && wrong(renamed).length === 0 },
      );
    }
  }
}

const needs = {
  request: { required: "requires", absent: "rejects" },
  response: { required: "expect", absent: "do not expect" },
} as const;

/** Whether a field is set for a kind. `kind`: the field that tells the kinds apart in the other version, as this one names it. */
function presenceFor(
  field: ComparedField,
  value: string,
  kind: string | undefined,
): "required" | "optional" | "absent" {
  const { when } = field;
  if (when === undefined || when[0]?.kind !== kind)
    return isOptionalInRequest(field) ? "optional" : "required";
  const condition = when.find((one) => one.value === value);
  if (condition === undefined) return "absent";
  return condition.isOptional ? "optional" : "required";
}

/** The values of an enum on the wire. Undefined for other types. */
function valuesOf({ type }: ComparedField, model: Model): readonly string[] | undefined {
  const resolved = resolveAliases(model, type);
  return resolved.kind === "enum" ? enumOf(model, resolved.name).values.map(({ wire }) => wire) : undefined;
}

/** Compares the alternative names of a field, which callers may send or read. */
function compareNames(
  { direction, findings }: Walk,
  writer: ComparedField,
  reader: ComparedField,
  item: SchemaItem,
): void {
  if (direction === "request") {
    const read = new Set([wireOf(reader), ...(reader.aliases ?? [])]);
    const removed = [wireOf(writer) ?? "", ...(writer.aliases ?? [])].find((name) => !read.has(name));
    if (removed !== undefined)
      findings.add(
        "request-form-rejected",
        { name: item.name, form: `under the name "${removed}"` },
        item,
        "names",
      );
    return;
  }
  const written = new Set([wireOf(writer), ...(writer.twins ?? [])]);
  const removed = [wireOf(reader) ?? "", ...(reader.twins ?? [])].find((name) => !written.has(name));
  if (removed !== undefined)
    findings.add(
      "response-field-missing",
      { name: item.name, how: `does not send it as "${removed}"` },
      item,
      "names",
    );
}

/** Reports a field that the reader expects but the writer does not write. */
interface MissingField {
  readonly field: ComparedField;
  /** As the reader knows it. */
  readonly name: string;
  /** What it was probably renamed to or from. */
  readonly old: ComparedField | undefined;
  /** Whether the schema declares the rename, so that a server that speaks both versions converts the field. */
  readonly isRenamed: boolean;
}

function reportMissing(
  { direction, findings }: Walk,
  { field, name, old, isRenamed }: MissingField,
  item: SchemaItem,
  note: string | undefined,
): void {
  if (direction === "request") {
    if (!isOptionalInRequest(field))
      findings.add("request-field-required", { name, how: "do not know it" }, item, "names", { note });
    else if (old !== undefined) {
      const what = isRenamed ? `but the server expects it as "${wireOf(field)}"` : ignored;
      const parameters = { name: `${wireOf(old)}`, what };
      findings.add("request-field-ignored", parameters, item, "names", { note, isConvertible: isRenamed });
    }
    return;
  }
  if (isAlwaysPresent(field))
    findings.add("response-field-missing", { name, how: "does not have this field" }, item, "names", {
      note,
    });
  else findings.add("code-field-removed", { name }, item, "names", { note, isConvertible: isRenamed });
}

const ignored = "but the server ignores it";

/** Reports a request field that the server does not read. In a response, such a field is simply new. */
function reportIgnored({ direction, findings }: Walk, item: SchemaItem): void {
  if (direction === "request")
    findings.add("request-field-ignored", { name: item.name, what: ignored }, item, "names");
}

/** Finds the former fields of those that declare one: by `renamedFrom`, or because one version knows the name of the other as `alias` or `twin`. */
function declaredRenames<Field extends ComparedField>(
  walk: Walk,
  missing: readonly Field[],
  removedFields: readonly Field[],
): ReadonlyMap<Field, Field> {
  const isRename = (reader: Field, writer: Field): boolean => {
    const [now, before] = isReaderNew(walk) ? [reader, writer] : [writer, reader];
    const names = ({ aliases = [], twins = [] }: Field): readonly string[] => [...aliases, ...twins];
    return (
      now.constraints.renamedFrom === before.name ||
      now.constraints.renamedFrom === wireOf(before) ||
      names(now).includes(wireOf(before) ?? "") ||
      names(before).includes(wireOf(now) ?? "")
    );
  };
  return new Map(
    missing.flatMap((reader) => {
      const old = removedFields.find((writer) => isRename(reader, writer));
      return old === undefined ? [] : [[reader, old] as const];
    }),
  );
}

/** Finds the only removed field with the same type and presence. */
function fieldOfSameType<Field extends ComparedField>(
  reader: Field,
  removedFields: readonly Field[],
): Field | undefined {
  const sameType = removedFields.filter(
    (one) => ridlText(one.type) === ridlText(reader.type) && one.optional === reader.optional,
  );
  return sameType.length === 1 ? sameType[0] : undefined;
}

function renameNote(walk: Walk, reader: ComparedField, writer: ComparedField, isDeclared: boolean): string {
  const [from, to] = isReaderNew(walk) ? [writer, reader] : [reader, writer];
  return isDeclared
    ? `It was renamed from "${wireOf(from)}" to "${wireOf(to)}".`
    : `It was probably renamed: "${wireOf(from)}" and "${wireOf(to)}" have the same type.`;
}

function isReaderNew({ sides, direction }: Walk): boolean {
  return (direction === "request") === (sides.newSide === "server");
}
