import { type CoreType, coreTypes } from "../../language/model/core-types.ts";
import { matchingText } from "../samples/pattern-text.ts";
import { seededRandom } from "../samples/random.ts";
import type { SchemaItem } from "./findings.ts";
import { modelsOf } from "./sides.ts";
import { resolveAliases, type SlotPair, type ValueSlot, type Walk } from "./walk.ts";

/** Compares the constraints of a slot, key by key. `isReportedHere` selects the keys that are compared at this slot. */
export function compareBounds(
  walk: Walk,
  pair: SlotPair,
  item: SchemaItem,
  isReportedHere: (key: string) => boolean,
): void {
  for (const [key, isLow] of bounds) {
    if (isReportedHere(key) && isTighter(walk, key, isLow, pair)) reportBound(walk, key, pair, item);
  }
  if (isReportedHere("pattern")) comparePatterns(walk, pair, item);
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
