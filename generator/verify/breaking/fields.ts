import type { Location } from "../../language/diagnostics/diagnostic.ts";
import type { Constraints } from "../../language/model/meta/read.ts";
import type { ResolvedType } from "../../language/model/types.ts";
import type { SchemaItem } from "./findings.ts";
import { locationsOf } from "./sides.ts";
import { type SlotPair, typeText, type ValueSlot, type Walk } from "./walk.ts";

/** A field of a struct, or an argument, which has no place of its own. */
export interface ComparedField {
  readonly name: string;
  readonly wireName?: string | undefined;
  readonly optional: boolean;
  readonly type: ResolvedType;
  readonly constraints: Constraints;
  readonly aliases?: readonly string[];
  readonly twins?: readonly string[];
  readonly at?: Location;
}

interface FieldLists<Field extends ComparedField> {
  readonly writer: readonly Field[];
  readonly reader: readonly Field[];
}

type CompareSlots = (walk: Walk, pair: SlotPair, site: SchemaItem) => void;

/** Compares the fields of one body: by their names on the wire, since that is what both sides see. */
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
  const lost = writers.filter((field) => !pairs.has(field));
  const missing = readers.filter((field) => !matched.has(field));
  for (const [writer, reader] of pairs) {
    const site = itemOf(walk, { writer, reader }, holder);
    comparePresence(walk, writer, reader, site);
    compareNames(walk, writer, reader, site);
    compare(walk, { writer: slotOf(writer, "writer"), reader: slotOf(reader, "reader") }, site);
  }
  for (const field of missing) {
    const old = formerFieldOf(walk, field, lost);
    const rest = { ...(old === undefined ? {} : { writer: old }), reader: field };
    reportMissing(walk, field, old, itemOf(walk, rest, holder));
    if (old !== undefined) lost.splice(lost.indexOf(old), 1);
  }
  for (const field of lost) reportIgnored(walk, itemOf(walk, { writer: field }, holder));
}

function wireOf({ wireName, name, at }: ComparedField): string | undefined {
  // Arguments have no other name; a field without one is not on the wire.
  return at === undefined ? name : wireName;
}

/** Whether a reader finds under one of its names what a writer writes. */
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
    ...locationsOf(sides, callers?.at, server?.at, holder.at),
  };
}

/** `Pet.age`; of a body that is spelt out as arguments, `Pets.GetPet(age)`. */
function qualifiedName({ name }: SchemaItem, field: string): string {
  return name.endsWith(")") ? `${name.slice(0, -1)}${field})` : `${name}.${field}`;
}

/** Whether a request may go without it. */
function mayBeLeftOut({ optional, constraints }: ComparedField): boolean {
  return optional || constraints.default !== undefined;
}

function isAlwaysNull({ constraints }: ComparedField): boolean {
  return constraints.nullable === "always";
}

/** Whether an answer always has it, be it as null. */
function isAlwaysThere(field: ComparedField): boolean {
  return !field.optional || isAlwaysNull(field);
}

function comparePresence(
  { direction, findings }: Walk,
  writer: ComparedField,
  reader: ComparedField,
  site: SchemaItem,
): void {
  const { name } = site;
  if (direction === "request") {
    if (!mayBeLeftOut(reader) && mayBeLeftOut(writer))
      findings.add("request-field-needed", { name, how: "may omit it" }, site, "presence");
    else compareDefaults(findings, writer, reader, site);
    return;
  }
  if (isAlwaysThere(reader) && !isAlwaysThere(writer))
    findings.add("response-field-missing", { name, how: "may omit it" }, site, "presence");
  else if (isAlwaysNull(writer) && !isAlwaysNull(reader))
    findings.add("response-field-missing", { name, how: "may return null" }, site, "presence");
}

function compareDefaults(
  findings: Walk["findings"],
  writer: ComparedField,
  reader: ComparedField,
  site: SchemaItem,
): void {
  const [callers, server] = [writer.constraints.default, reader.constraints.default];
  // A field that had to be sent was never left out.
  if (callers === server || !mayBeLeftOut(writer)) return;
  const words = (value: string | undefined): string => (value === undefined ? "no default" : `"${value}"`);
  findings.add(
    "default-changed",
    { name: site.name, callers: words(callers), server: words(server) },
    site,
    "default",
  );
}

/** The other names that callers know of a field: they may send it under each, and read it under each. */
function compareNames(
  { direction, findings }: Walk,
  writer: ComparedField,
  reader: ComparedField,
  site: SchemaItem,
): void {
  if (direction === "request") {
    const read = new Set([wireOf(reader), ...(reader.aliases ?? [])]);
    const gone = [wireOf(writer) ?? "", ...(writer.aliases ?? [])].find((name) => !read.has(name));
    if (gone !== undefined)
      findings.add(
        "request-form-refused",
        { name: site.name, form: `under the name "${gone}"` },
        site,
        "names",
      );
    return;
  }
  const written = new Set([wireOf(writer), ...(writer.twins ?? [])]);
  const gone = [wireOf(reader) ?? "", ...(reader.twins ?? [])].find((name) => !written.has(name));
  if (gone !== undefined)
    findings.add(
      "response-field-missing",
      { name: site.name, how: `does not send it as "${gone}"` },
      site,
      "names",
    );
}

/** What a reader wants and nobody writes. */
function reportMissing(
  { direction, findings }: Walk,
  reader: ComparedField,
  old: ComparedField | undefined,
  site: SchemaItem,
): void {
  const { name } = site;
  const note =
    old === undefined
      ? undefined
      : `It was probably renamed: "${wireOf(old)}" and "${wireOf(reader)}" are alike.`;
  if (direction === "request") {
    if (!mayBeLeftOut(reader))
      findings.add("request-field-needed", { name, how: "do not know it" }, site, "names", note);
    else if (old !== undefined)
      findings.add("request-field-ignored", { name: `${wireOf(old)}` }, site, "names", note);
    return;
  }
  if (isAlwaysThere(reader))
    findings.add("response-field-missing", { name, how: "does not have this field" }, site, "names", note);
  else findings.add("code-field-gone", { name }, site, "names", note);
}

/** What is written and nobody reads: in an answer that is how fields are added. */
function reportIgnored({ direction, findings }: Walk, site: SchemaItem): void {
  if (direction === "request") findings.add("request-field-ignored", { name: site.name }, site, "names");
}

/** What a field was called: the schema says so, or just one field that is gone has its type and presence. */
function formerFieldOf<Field extends ComparedField>(
  { sides, direction }: Walk,
  reader: Field,
  lost: readonly Field[],
): Field | undefined {
  const isReaderNew = (direction === "request") === (sides.newSide === "server");
  const said = lost.find((one) => {
    const [now, before] = isReaderNew ? [reader, one] : [one, reader];
    return now.constraints.renamedFrom === before.name || now.constraints.renamedFrom === wireOf(before);
  });
  if (said !== undefined) return said;
  const alike = lost.filter(
    (one) => typeText(one.type) === typeText(reader.type) && one.optional === reader.optional,
  );
  return alike.length === 1 ? alike[0] : undefined;
}
