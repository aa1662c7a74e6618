import { type CoreType, coreTypes } from "../../language/model/core-types/index.ts";
import { matchingText } from "../samples/pattern-text.ts";
import { seededRandom } from "../samples/random.ts";
import type { SchemaItem } from "./findings.ts";
import { modelsOf } from "./sides.ts";
import { resolveAliases, type SlotPair, type ValueSlot, type Walk } from "./walk.ts";

/** Compares what places say of their values, key by key; `isMine` tells whose keys are told here. */
export function compareBounds(
  walk: Walk,
  pair: SlotPair,
  site: SchemaItem,
  isMine: (key: string) => boolean,
): void {
  for (const [key, isLow] of bounds) {
    if (isMine(key) && isTighter(walk, key, isLow, pair)) reportBound(walk, key, pair, site);
  }
  if (isMine("pattern")) comparePatterns(walk, pair, site);
  if (isMine("accepts")) compareForms(walk, pair, site);
  if (isMine("normalize")) compareLetterCase(walk, pair, site);
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

/** Whether a writer may go where its reader does not follow. */
function isTighter(walk: Walk, key: Bound, isLow: boolean, { writer, reader }: SlotPair): boolean {
  const models = modelsOf(walk.sides, walk.direction);
  const [from, to] = [resolveAliases(models.writer, writer.type), resolveAliases(models.reader, reader.type)];
  const written = boundOf(writer, key, from.kind === "core" ? from.name : undefined);
  const read = boundOf(reader, key, to.kind === "core" ? to.name : undefined);
  if (read === undefined) return false;
  // Types of other ranges are told as such.
  if (key.endsWith("imum") && from.kind === "core" && to.kind === "core" && from.name !== to.name) {
    if (reader.constraints[key] === undefined) return false;
  }
  if (written === undefined) return true;
  return isLow ? read > written : read < written;
}

/** What is said, or what the type itself says. */
function boundOf(
  { constraints }: ValueSlot,
  key: Bound,
  core: CoreType | undefined,
): number | bigint | undefined {
  const said = constraints[key];
  if (key === "minLength" || key === "minItems") return said ?? 0;
  const type = core === undefined ? undefined : coreTypes[core];
  if (type?.kind !== "integer") return said;
  const { low, high } = type.range;
  if (key === "minimum") return said === undefined || said < low ? low : said;
  if (key === "maximum") return said === undefined || said > high ? high : said;
  return said;
}

function reportBound(walk: Walk, key: Bound, { writer, reader }: SlotPair, site: SchemaItem): void {
  const words = ({ constraints }: ValueSlot): string =>
    constraints[key] === undefined ? `no ${key}` : `${key} = ${constraints[key]}`;
  reportConstraint(walk, words(writer), words(reader), site, `bound:${key}`);
}

function reportConstraint(walk: Walk, writer: string, reader: string, site: SchemaItem, edit: string): void {
  const { findings, direction } = walk;
  if (direction === "request")
    findings.add("request-bound-tightened", { name: site.name, callers: writer, server: reader }, site, edit);
  else
    findings.add("response-bound-loosened", { name: site.name, callers: reader, server: writer }, site, edit);
}

/** Texts that are tried where one pattern gave way to another. */
const sampleCount = 300;

/** Whether a pattern holds all that another does cannot be told in general; texts that the other takes are tried on it. */
function comparePatterns(walk: Walk, { writer, reader }: SlotPair, site: SchemaItem): void {
  const [from, to] = [writer.constraints.pattern, reader.constraints.pattern];
  if (to === undefined || from === to) return;
  if (walk.direction === "response") {
    reportConstraint(
      walk,
      from === undefined ? "no pattern" : `the pattern ${from}`,
      `the pattern ${to}`,
      site,
      "pattern",
    );
    return;
  }
  const sample = from === undefined ? "any text" : counterexample(from, to, writer);
  if (sample !== undefined)
    walk.findings.add("request-pattern-tightened", { name: site.name, sample }, site, "pattern");
}

/** A text that one pattern takes and the other does not, in quotes. A pattern that cannot be followed may take anything. */
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

function compareForms({ direction, findings }: Walk, { writer, reader }: SlotPair, site: SchemaItem): void {
  if (direction === "response") return;
  const gone = writer.constraints.accepts.find((form) => !reader.constraints.accepts.includes(form));
  if (gone !== undefined && reader.type.kind !== "unknown")
    findings.add("request-form-refused", { name: site.name, form: `as ${gone}` }, site, "accepts");
}

function compareLetterCase(
  { direction, findings }: Walk,
  { writer, reader }: SlotPair,
  site: SchemaItem,
): void {
  const [from, to] = [writer.constraints.normalize, reader.constraints.normalize];
  if (from === to || (direction === "response" && to === undefined)) return;
  const words = (normalize: "lowercase" | undefined): string =>
    normalize === undefined ? "unchanged text" : "lower-case text";
  const [callers, server] = direction === "request" ? [from, to] : [to, from];
  findings.add(
    "letters-changed",
    { name: site.name, callers: words(callers), server: words(server) },
    site,
    "letters",
  );
}
