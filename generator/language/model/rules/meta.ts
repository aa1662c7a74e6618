import { suggest } from "../../diagnostics/suggest.ts";
import type { FieldNode, MetaNode, StructNode, TypeNode } from "../../syntax/tree.ts";
import { fileForm } from "../files.ts";
import { findMetaKey, isMetaKeyName, type MetaKey, metaKeys, type Shape } from "../meta/keys.ts";
import { aliasesOf, metaNumber, readOtherNames } from "../meta/read.ts";
import { shapeOf } from "../meta/shape.ts";
import type { Report, Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";
import { wireNameOf } from "./json-names.ts";

/**
 * A meta key of ridlkit is spelt correctly, has a valid value, and fits the type that it is set on.
 * Bad: `+ minLenght = 3`, `+ minimum = low`, `+ pattern = "a"` on a number. Good: `+ minLength = 3` on a string.
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
    if (known === undefined) checkSpelling(line, scope, report);
    else checkLine(line, known, type, target, scope, report, seen);
  }
  checkBounds(lines, type, scope, report);
}

/** Values of enums have a JSON name; no other key of ridlkit has an effect on them. */
function checkEnumLines(lines: readonly MetaNode[], scope: Scope, report: Report): void {
  const seen = new Set<string>();
  for (const line of lines) {
    const { key } = line;
    if (findMetaKey(line) === undefined) checkSpelling(line, scope, report, ["json"]);
    else if (key.text !== "json")
      report("meta-place", { key: key.text, type: "an enum value", wanted: "fields" }, key.span);
    else if (seen.has(key.text)) report("repeated-meta", { key: key.text }, key.span);
    seen.add(key.text);
  }
}

function checkSpelling(
  { key, span }: MetaNode,
  scope: Scope,
  report: Report,
  keys: readonly string[] = Object.keys(metaKeys),
): void {
  if (key.text.includes(".")) return;
  const suggestion = suggest(key.text, keys, key.text.length < 6 ? 1 : 2);
  if (suggestion === undefined) return;
  const fix = {
    title: `Write "${suggestion}"`,
    file: scope.file.source,
    edits: [{ span: key.span, text: suggestion }],
  };
  report(
    "misspelt-meta",
    { key: key.text, suggestion },
    { start: key.span.start, end: Math.min(key.span.end, span.end) },
    { fix },
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
  if (wanted !== undefined) report("meta-value", { key: key.text, value: value.value, wanted }, value.span);
  if (known.fieldOnly === true && target === "alias") {
    report("meta-place", { key: key.text, type: "a type alias", wanted: "fields" }, key.span);
  }
  if (fileForm(type) !== undefined && !fileKeys.has(key.text))
    report("meta-place", { key: key.text, type: "a file", wanted: "values in JSON" }, key.span);
  const shape = known.shapes === undefined ? undefined : shapeOf(type, scope);
  if (known.shapes !== undefined && shape !== undefined && !known.shapes.includes(shape)) {
    report(
      "meta-place",
      {
        key: key.text,
        type: shapeNames[shape],
        wanted: known.shapes.map((one) => shapeNames[one]).join(" or "),
      },
      key.span,
    );
  }
  if (seen.has(key.text) && known.repeatable !== true) report("repeated-meta", { key: key.text }, key.span);
  seen.add(key.text);
}

const fileKeys: ReadonlySet<string> = new Set(["json", "deprecated"]);

const shapeNames: Readonly<Record<Shape, string>> = {
  text: "text",
  number: "a number",
  boolean: "a boolean",
  list: "a list",
  map: "a map",
  other: "this type",
};

function checkBounds(lines: readonly MetaNode[], type: TypeNode, scope: Scope, report: Report): void {
  if (lines.length === 1 && aliasesOf(type, scope).length === 0) return;
  for (const { key, value } of lines) {
    const low = key.text.replace(/^max/, "min");
    const high = key.text.replace(/^min/, "max");
    if (low === high || !isMetaKeyName(high)) continue;
    const [from, to] = [low, high].map((one) => metaNumber(lines, type, scope, one));
    if (from !== undefined && to !== undefined && from > to)
      report("contrary-meta", { low, high }, value.span);
  }
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
