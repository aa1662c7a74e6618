import { nearest } from "../../diagnostics/suggest.ts";
import type { FieldNode, MetaNode, SchemaFile, StructNode, TypeNode } from "../../syntax/tree.ts";
import { typeText } from "../../syntax/type-text.ts";
import { type CoreType, coreTypes, integers, isCoreType } from "../core-types.ts";
import { fileForm } from "../files.ts";
import {
  findMetaKey,
  isFormat,
  isMetaKeyName,
  knownFormats,
  type MetaKey,
  metaKeys,
  type Shape,
} from "../meta/keys.ts";
import { aliasesOf, metaNumber, numberOf, readOtherNames, shapeOf } from "../meta/read.ts";
import { adviseMetaKey, isOfOtherTool } from "../meta/unknown-keys.ts";
import { didYouMean, replaceFix } from "../names.ts";
import type { Report, ReportExtra, Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";
import { faultsOfValues } from "../values.ts";
import { wireNameOf } from "./names.ts";

/**
 * A meta key is known or contains a dot, has a valid value, and fits the type that it is set on.
 * Bad: `+ min = 3`, `+ minimum = low`, `+ pattern = "a"` on a number. Good: `+ minLength = 3` on a string.
 */
export const metaLines: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind === "alias") checkLines(node.meta, node.type, "alias", scope, report);
    else if (node.kind === "struct") {
      for (const { meta, type } of node.fields) checkLines(meta, type, "field", scope, report);
    } else if (node.kind === "enum") for (const { meta } of node.values) checkEnumLines(meta, scope, report);
  }
};

function checkLines(
  lines: readonly MetaNode[],
  type: TypeNode,
  target: "alias" | "field",
  scope: Scope,
  report: Report,
): void {
  if (lines.length === 0) return;
  const seen = new Set<string>();
  for (const line of lines) {
    const known = findMetaKey(line);
    if (known === undefined) reportUnknown(line, lines, shapeOf(type, scope), keysOf[target], scope, report);
    else checkLine(line, known, type, target, scope, report, seen);
  }
  checkRange(lines, type, scope, report);
  checkBounds(lines, type, scope, report);
}

/** The reference stores any key of an enum value. Of ridlkit's keys, only `json` has an effect. */
function checkEnumLines(lines: readonly MetaNode[], scope: Scope, report: Report): void {
  const seen = new Set<string>();
  for (const line of lines) {
    const { key } = line;
    if (findMetaKey(line) === undefined) reportUnknown(line, lines, "other", ["json"], scope, report);
    else if (key.text !== "json") report("enum-value-meta", { key: key.text }, key.span);
    else if (seen.has(key.text)) report("repeated-meta", { key: key.text }, key.span);
    seen.add(key.text);
  }
}

const keysOf = {
  field: Object.keys(metaKeys).filter((key) => isMetaKeyName(key) && metaKeys[key].aliasOnly !== true),
  alias: Object.keys(metaKeys).filter((key) => isMetaKeyName(key) && metaKeys[key].fieldOnly !== true),
};

/** The suggestion renames the key, unless the value would then be invalid, or the key repeated. */
function reportUnknown(
  { key, value, span: { end } }: MetaNode,
  lines: readonly MetaNode[],
  shape: Shape | undefined,
  keys: readonly string[],
  scope: Scope,
  report: Report,
): void {
  if (isOfOtherTool(key.text)) return;
  report(
    "unknown-meta",
    { key: key.text },
    { start: key.span.start, end: Math.min(key.span.end, end) },
    () => {
      const { advice, renamed } = adviseMetaKey(key.text, shape, keys);
      const isSafe =
        renamed !== undefined &&
        metaKeys[renamed].expected(value.value) === undefined &&
        !lines.some((line) => line.key.text === renamed);
      return isSafe
        ? { advice, suggestion: replaceFix(renamed, { file: scope.file.source, span: key.span }) }
        : { advice };
    },
  );
}

function checkLine(
  { key, value }: MetaNode,
  known: MetaKey,
  type: TypeNode,
  target: "alias" | "field",
  scope: Scope,
  report: Report,
  seen: Set<string>,
): void {
  const wanted = known.expected(value.value);
  if (wanted !== undefined)
    report("meta-value", { key: key.text, value: value.value, wanted }, value.span, adviceOf(known));
  else if (key.text === "format" && !isFormat(value.value)) {
    const location = { file: scope.file.source, span: value.span };
    const near = nearest(value.value, knownFormats);
    report("unknown-format", { format: value.value }, value.span, near && didYouMean(near, location));
  }
  if (key.text === "json" && target === "alias") report("alias-json", {}, key.span);
  else {
    const misplaced = misplacedAt(key.text, known, type, target, scope);
    if (misplaced !== undefined) report("meta-place", { key: key.text, ...misplaced }, key.span);
  }
  if (seen.has(key.text) && known.repeatable !== true) report("repeated-meta", { key: key.text }, key.span);
  seen.add(key.text);
}

function adviceOf({ advice }: MetaKey): ReportExtra {
  return advice === undefined ? {} : { advice };
}

/** Returns where a key stands without effect, and where it has one. */
function misplacedAt(
  key: string,
  { fieldOnly, aliasOnly, shapes }: MetaKey,
  type: TypeNode,
  target: "alias" | "field",
  scope: Scope,
): { readonly type: string; readonly wanted: string } | undefined {
  if (fieldOnly === true && target === "alias") return { type: "a type alias", wanted: "fields" };
  if (aliasOnly === true && target === "field") return { type: "a field", wanted: "type aliases" };
  if (fileForm(type) !== undefined && !fileKeys.has(key)) return { type: "a file", wanted: "values in JSON" };
  if (shapes === undefined) return undefined;
  const others = allShapes.filter((one) => !shapes.includes(one)).map((one) => shapeNames[one]);
  const wanted =
    others.length === 1 ? `all types but ${others[0]}` : shapes.map((one) => shapeNames[one]).join(" or ");
  const shape = shapeOf(type, scope);
  if (shape !== undefined && shapes.includes(shape)) return undefined;
  if (shape === "other" && coreTypeBehind(type, scope) === undefined) return { type: "an enum", wanted };
  if (shape !== undefined) return { type: shapeNames[shape], wanted };
  return aliasOnly === true && coreTypeBehind(type, scope) === "any" ? { type: "any", wanted } : undefined;
}

const fileKeys: ReadonlySet<string> = new Set(["json", "deprecated"]);

const shapeNames: Readonly<Record<Shape, string>> = {
  text: "text",
  number: "a number",
  boolean: "a boolean",
  list: "a list",
  map: "a map",
  struct: "a struct",
  other: "this type",
};

const allShapes = Object.keys(shapeNames) as readonly Shape[];

/** No value is outside the range of its type. Limits can exceed what a JSON number holds: values may be bigints. */
function checkRange(lines: readonly MetaNode[], type: TypeNode, scope: Scope, report: Report): void {
  const end = coreTypeBehind(type, scope);
  const core = end && coreTypes[end];
  if (core?.kind === "integer") checkLimits(lines, core.bigRange ?? core.range, `${end}`, report);
  else if (core?.kind === "float") checkLimits(lines, { low: -core.max, high: core.max }, `${end}`, report);
}

function coreTypeBehind(type: TypeNode, scope: Scope): CoreType | undefined {
  const end = aliasesOf(type, scope).at(-1)?.type ?? type;
  return end.kind === "named" && isCoreType(end.name) ? end.name : undefined;
}

function checkLimits(
  lines: readonly MetaNode[],
  { low, high }: { readonly low: number | bigint; readonly high: number | bigint },
  values: string,
  report: Report,
  extra?: ReportExtra,
): void {
  for (const { key, value } of lines) {
    const limit = numberOf(value.value);
    if (key.text === "minimum" && limit > high)
      report("contrary-meta", { low: '"minimum"', high: `every ${values}` }, value.span, extra);
    else if (key.text === "maximum" && limit < low)
      report("contrary-meta", { low: `Every ${values}`, high: '"maximum"' }, value.span, extra);
  }
}

/**
 * Limits of 64-bit integers leave numbers that JavaScript holds exactly. Only for code in which these integers are numbers.
 * Bad: `+ minimum = 9007199254740993` on a uint64. Good: `+ minimum = 1`.
 */
export const numberLimits: Rule = (scope, report) => {
  const checkNumbers = (lines: readonly MetaNode[], type: TypeNode): void => {
    const end = coreTypeBehind(type, scope);
    const core = end && coreTypes[end];
    if (core?.kind !== "integer" || core.bigRange === undefined) return;
    const advice = 'Set "int64" to "bigint": a number is exact up to 2^53 - 1.';
    checkLimits(lines, core.range, `${end} that is a number`, report, { advice });
  };
  for (const node of scope.file.declarations) {
    if (node.kind === "alias") checkNumbers(node.meta, node.type);
    else if (node.kind === "struct") for (const { meta, type } of node.fields) checkNumbers(meta, type);
  }
};

function checkBounds(lines: readonly MetaNode[], type: TypeNode, scope: Scope, report: Report): void {
  if (lines.length === 1 && aliasesOf(type, scope).length === 0) return;
  const end = coreTypeBehind(type, scope);
  const isWhole = end !== undefined && ["integer", "bigint"].includes(coreTypes[end].kind);
  const reported = new Set<string>();
  for (const { key, value } of lines.toReversed()) {
    const low = key.text.replace(/^max/, "min");
    const high = key.text.replace(/^min/, "max");
    if (low === high || !isMetaKeyName(high)) continue;
    const [from, to] = [low, high].map((one) => metaNumber(lines, type, scope, one));
    if (from === undefined || to === undefined || reported.has(low)) continue;
    const isAbove = from > to;
    if (!isAbove && !(isWhole && roundUp(from) > to)) continue;
    reported.add(low);
    const lowWords = isAbove ? `"${low}"` : `Every whole number from "${low}"`;
    report("contrary-meta", { low: lowWords, high: `"${high}"` }, value.span);
  }
}

function roundUp(limit: number | bigint): number | bigint {
  return typeof limit === "bigint" ? limit : Math.ceil(limit);
}

/**
 * Additional names of a field (`alias`, `twin`) must not clash with names of other fields in the struct.
 * Bad: `- chainId: int` with `+ alias = id`, and `- id: int`. Good: `+ alias = chainID`.
 */
export const wireNames: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind === "struct" && node.fields.some(hasOtherNames)) checkStruct(node, report);
  }
};

function hasOtherNames({ meta }: FieldNode): boolean {
  return meta.some(({ key }) => isMetaKeyName(key.text) && (key.text === "alias" || key.text === "twin"));
}

function checkStruct(struct: StructNode, report: Report): void {
  const read = new Map<string, FieldNode>();
  const written = new Map<string, FieldNode>();
  for (const field of struct.fields) {
    const name = wireNameOf(field);
    if (name === undefined) continue;
    read.set(name, field);
    written.set(name, field);
  }
  for (const field of struct.fields) {
    const { aliases, twins } = readOtherNames(field.meta);
    for (const name of aliases) claim(name, field, read, struct, report);
    for (const name of twins) claim(name, field, written, struct, report);
  }
}

function claim(
  name: string,
  field: FieldNode,
  names: Map<string, FieldNode>,
  struct: StructNode,
  report: Report,
): void {
  const owner = names.get(name);
  if (owner === undefined) names.set(name, field);
  else if (owner !== field) {
    const line = field.meta.findLast(({ value }) => value.value === name);
    report("wire-name-clash", { name, type: struct.name.text }, (line?.value ?? field.name).span);
  }
}

/**
 * Defaults and examples are values of their type that break no rule; those of lists, maps and structs are JSON.
 * Bad: `+ default = 300` on a uint8, `+ example = ada` on an email. Good: `+ default = 30`.
 */
export const values: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind === "alias") checkValues(node.meta, node.type, scope, report);
    else if (node.kind === "struct")
      for (const { meta, type } of node.fields) checkValues(meta, type, scope, report);
  }
};

function checkValues(meta: readonly MetaNode[], type: TypeNode, scope: Scope, report: Report): void {
  const end = aliasesOf(type, scope).at(-1)?.type ?? type;
  const fileOf = (declared: string | undefined): SchemaFile =>
    (declared === undefined ? undefined : scope.typeByName.get(declared)?.file) ?? scope.file;
  for (const { line, alias, fault } of faultsOfValues(meta, type, scope)) {
    const whole = `${line.key.text === "example" ? "example" : "default"} of ${typeText(end)}`;
    const subject = fault.path === "" ? `The ${whole}` : `"${fault.path}" in the ${whole}`;
    const value = fault.value === undefined ? "nothing" : shortJson(fault.value);
    const at = fault.rule && { file: fileOf(fault.rule.type).source, span: fault.rule.span };
    const notes = at === undefined ? {} : { notes: [{ message: "The value breaks this rule.", at }] };
    report("schema-value", { subject, wanted: fault.wanted, value }, line.value.span, {
      file: fileOf(alias),
      ...notes,
      ...(safeRanges.includes(fault.wanted) ? { advice: exactAdvice } : {}),
    });
  }
}

function shortJson(value: unknown): string {
  // JSON.parse has rounded it, so its digits may not be those in the schema.
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    return value < 0 ? "a number below -(2^53 - 1)" : "a number above 2^53 - 1";
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}

const exactAdvice = "JSON numbers are exact only in this range; for larger values, use bigint.";

/** Descriptions of the integers for which `int64` or bigint hold more. */
const safeRanges: readonly string[] = [integers.int64.description, integers.uint64.description];
