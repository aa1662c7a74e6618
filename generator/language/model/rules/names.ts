import type { SourceFile } from "../../source/source-file.ts";
import type { Span } from "../../source/span.ts";
import type { FieldNode, Name, Text } from "../../syntax/tree.ts";
import { firstDeclared, foldCase, isIdentifier, replaceFix, suggestCapital } from "../names.ts";
import type { Report, ReportExtra, Rule } from "../rule.ts";
import type { Declared, Scope, TypeDeclarationNode } from "../scope.ts";

/**
 * A type name starts with an upper-case letter and is unique in scope, ignoring letter case.
 * Bad: `struct user`, `struct User` and `enum USER: int`. Good: `struct User`.
 */
export const typeNames: Rule = (scope, report) => {
  for (const type of scope.types) {
    const { text, span } = type.node.name;
    const isOwn = type.file === scope.file;
    if (isOwn && !startsUpper(text))
      report("type-name", { name: text }, span, suggestCapital(text, { file: type.file.source, span }));
    else if (isOwn && !/^[A-Za-z0-9_]+$/.test(text)) report("type-name-characters", { name: text }, span);
    const first = scope.typeByFoldedName.get(foldCase(text));
    if (first !== undefined && first !== type) reportClash(first, type, report);
  }
};

/** Reports the later of two declarations in one file. Compares positions, because the scope lists enums before structs. */
function reportClash(
  one: Declared<TypeDeclarationNode>,
  other: Declared<TypeDeclarationNode>,
  report: Report,
): void {
  const isInOrder = one.file !== other.file || one.node.span.start < other.node.span.start;
  const [first, second] = isInOrder ? [one, other] : [other, one];
  const name = second.node.name.text;
  const extra = firstDeclared(first.file.source, first.node.name.span);
  const parameters = { name, other: first.node.name.text };
  const code = name === parameters.other ? "duplicate-type" : "type-case";
  report(code, parameters, second.node.name.span, { ...extra, file: second.file });
}

/**
 * Whether the reference tool considers the first letter upper case. It treats the first UTF-8 byte as a character, so
 * names in an IR file may also start with a character whose first byte is C2 to D6 or D8 to DE.
 */
export function startsUpper(name: string): boolean {
  const code = name.codePointAt(0) ?? 0;
  if (code < 0x80) return code >= 0x41 && code <= 0x5a;
  const byte = 0xc0 | (code >> 6);
  return code < 0x7c0 && byte !== 0xd7 && byte !== 0xdf;
}

/**
 * Names of fields and enum values consist of letters, digits and "_", and are unique, ignoring letter case.
 * Bad: `- first-name: string`, `- id` and `- ID`. Good: `- firstName: string`.
 */
export const fieldNames: Rule = (scope, report) => {
  // Reused for all types: clearing one map is cheaper than allocating thousands.
  const first = new Map<string, Name>();
  for (const node of scope.file.declarations) {
    first.clear();
    if (node.kind === "struct") checkNames(node.name.text, "fields", node.fields, first, scope, report);
    else if (node.kind === "enum") checkNames(node.name.text, "values", node.values, first, scope, report);
  }
};

function checkNames(
  type: string,
  kind: "fields" | "values",
  nodes: readonly { readonly name: Name }[],
  first: Map<string, Name>,
  scope: Scope,
  report: Report,
): void {
  for (const node of nodes) {
    const name = node.name.text;
    const isPlain = isIdentifier(name);
    if (!isPlain) report("field-name", { name }, node.name.span);
    const folded = isPlain ? name.toLowerCase() : foldCase(name);
    const earlier = first.get(folded);
    if (earlier === undefined) first.set(folded, node.name);
    else
      report(
        name === earlier.text ? "duplicate-field" : "field-case",
        { name, other: earlier.text, type, kind },
        node.name.span,
        firstDeclared(scope.file.source, earlier.span),
      );
  }
}

/**
 * The wire name in `+ json` is an identifier or "-", and is unique within its struct or enum, ignoring letter case.
 * Bad: `+ json = id,omitempty`. Good: `+ json = user_id`, and `+ go.tag.json = user_id,omitempty`.
 */
export const jsonNames: Rule = (scope, report) => {
  // Reused for all types: clearing one map is cheaper than allocating thousands.
  const first = new Map<string, First>();
  for (const node of scope.file.declarations) {
    if (node.kind !== "struct" && node.kind !== "enum") continue;
    const [kind, items] = node.kind === "struct" ? ["fields", node.fields] : ["values", node.values];
    if (!items.some(isRenamed)) continue;
    first.clear();
    checkJsonNames(items, { kind, type: node.name.text }, first, scope.file.source, report);
  }
};

type Renamed = Pick<FieldNode, "name" | "meta">;

function isRenamed({ meta }: Renamed): boolean {
  return meta.some(({ key }) => key.text === "json");
}

/** The first field with a wire name, and where that name is set. */
interface First {
  readonly field: string;
  readonly span: Span;
}

function checkJsonNames(
  items: readonly Renamed[],
  parameters: { readonly kind: string; readonly type: string },
  first: Map<string, First>,
  file: SourceFile,
  report: Report,
): void {
  for (const field of items) {
    let wireName = field.name.text;
    let { span } = field.name;
    for (const { key, value } of field.meta) {
      if (key.text !== "json" || value.value === "-") continue;
      if (!isIdentifier(value.value))
        report("json-name", { value: value.value }, value.span, withoutOptions(value, file));
      else ({ value: wireName, span } = value);
    }
    const folded = foldCase(wireName);
    const other = first.get(folded);
    if (other === undefined) first.set(folded, { field: field.name.text, span });
    else if (foldCase(other.field) !== foldCase(field.name.text)) {
      const notes = [{ message: `"${other.field}" already has this name.`, at: { file, span: other.span } }];
      report("duplicate-json-name", { ...parameters, name: wireName }, span, { notes });
    }
  }
}

/** `created_at,omitempty` is Go's syntax. The name before the comma may be all that was meant, or the field be optional. */
function withoutOptions({ value, span }: Text, file: SourceFile): ReportExtra {
  const [, name = ""] = /^([^,]+),/.exec(value) ?? [];
  return isIdentifier(name) || name === "-" ? { suggestion: replaceFix(name, { file, span }) } : {};
}

/** Returns a field's name in Go's JSON, the last `json` or `go.tag.json`: `+ go.tag.json = id,omitempty` is `id`. */
export function goNameOf({ meta, name }: FieldNode): string {
  const last = meta.findLast(({ key }) => key.text === "json" || key.text === "go.tag.json");
  return (last?.value.value ?? name.text).replace(/,.*/s, "");
}

/** Returns the name under which a field is in a query or a form: as in the reference, that of Go, if it has one. */
export function formNameOf(field: FieldNode): string | undefined {
  const name = goNameOf(field);
  return name === "" || name === "-" ? wireNameOf(field) : name;
}

/** Returns a field's name in JSON, or undefined if the field is never sent (`+ json = -`). */
export function wireNameOf(field: FieldNode): string | undefined {
  const last = field.meta.findLast(({ key }) => key.text === "json");
  if (last === undefined) return field.name.text;
  return last.value.value === "-" ? undefined : last.value.value;
}
