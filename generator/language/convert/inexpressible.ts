import { type Diagnostic, diagnose } from "../diagnostics/diagnostic.ts";
import type { Declared, Scope } from "../model/scope.ts";
import { parse } from "../ridl/parse.ts";
import { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";
import type { Declaration, MetaNode, SchemaFile, Text, TypeNode } from "../syntax/tree.ts";
import { isRidlWord } from "../yaml/parser/read-context.ts";
import { documentedIn } from "./detach.ts";

export type TextFormat = "ridl" | "yaml";

/** Reports names, values and comments that the target format could not parse back. */
export function findInexpressible(tree: SchemaFile, scope: Scope, to: TextFormat): Diagnostic[] {
  const owners = new Map<object, SchemaFile>();
  const all: Declared<Declaration>[] = [...scope.types, ...scope.errors, ...scope.services];
  for (const { node, file } of all) owners.set(node, file);
  const found: Diagnostic[] = [];
  for (const { value } of to === "ridl" ? tree.headers : [])
    checkText(value, (what, why, span) => {
      found.push(
        diagnose(
          "convert-unsayable",
          { what, form: formatNames[to], why },
          { file: scope.file.source, span },
        ),
      );
    });
  for (const declaration of tree.declarations) {
    const file = (owners.get(declaration) ?? scope.file).source;
    const report = (what: string, why: string, span: Span): void => {
      found.push(diagnose("convert-unsayable", { what, form: formatNames[to], why }, { file, span }));
    };
    for (const node of documentedIn([declaration])) checkComments(tree, node, to, report);
    for (const type of typesIn(declaration)) checkType(type, report);
    for (const name of namesIn(declaration)) {
      if (!isRidlWord(name.text)) report(`The name "${name.text}"`, "it is not a single word", name.span);
    }
    if (to === "ridl" && declaration.kind === "service") {
      for (const { name, proxy, input } of declaration.methods) {
        if (!proxy && !input.stream && (name.text === "stream" || name.text === "proxy"))
          report(`The method name "${name.text}"`, "it is a keyword there", name.span);
      }
    }
    if (to === "ridl" && declaration.kind === "service") {
      const paths = [declaration.path, ...declaration.methods.map(({ route }) => route?.path)];
      for (const path of paths)
        if (path !== undefined && !isRidlPath(path.value))
          report(`The path "${path.value}"`, 'a segment starts with "-" or "~"', path.span);
    }
    if (to === "ridl") for (const text of textsIn(declaration)) checkText(text, report);
  }
  return found;
}

export const formatNames: Readonly<Record<TextFormat, string>> = { ridl: "RIDL", yaml: "YAML" };

type Report = (what: string, why: string, span: Span) => void;

function checkComments(
  tree: SchemaFile,
  node: { readonly name: { readonly span: Span } },
  to: TextFormat,
  report: Report,
): void {
  const lines = [...(tree.docs?.get(node) ?? []), ...(tree.otherComments?.get(node) ?? [])];
  const control = to === "yaml" ? /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/ : /\0/;
  for (const line of lines) {
    if (control.test(line)) report("This comment", "it contains a control character", node.name.span);
    else if (/[\n\r]/.test(line))
      report("This comment", "one of its lines contains a line break", node.name.span);
  }
  if (to === "ridl" && (tree.docs?.get(node) ?? []).some((line) => line.startsWith("!")))
    report("This documentation", 'webrpc treats a comment that starts with "!" as private', node.name.span);
}

function* typesIn(node: Declaration): Generator<TypeNode> {
  if (node.kind === "alias") yield node.type;
  if (node.kind === "struct") for (const { type } of node.fields) yield type;
  if (node.kind !== "service") return;
  for (const { input, output } of node.methods)
    for (const { type } of [...input.list, ...output.list]) yield type;
}

/** The value type of a map may be missing. Any other missing type is an error. */
function checkType(type: TypeNode, report: Report): void {
  switch (type.kind) {
    case "named":
      if (!isRidlWord(type.name)) report(`The type "${type.name}"`, "it is not a single word", type.span);
      break;
    case "list":
      checkType(type.element, report);
      break;
    case "map":
      checkType(type.key, report);
      if (type.value.kind !== "missing") checkType(type.value, report);
      break;
    case "missing":
      report("This type", "it has no name", type.span);
  }
}

interface Named {
  readonly text: string;
  readonly span: Span;
}

/** Yields all names that are words in RIDL. */
function* namesIn(node: Declaration): Generator<Named> {
  if (node.kind !== "service") yield node.name;
  switch (node.kind) {
    case "enum":
      for (const { name } of node.values) yield name;
      break;
    case "struct":
      for (const { name } of node.fields) yield name;
      break;
    case "service":
      for (const { name, annotations, input, output } of node.methods) {
        yield name;
        for (const annotation of annotations) yield annotation.name;
        for (const argument of [...input.list, ...output.list]) yield argument.name;
      }
      break;
    default:
  }
}

/** Yields all values that RIDL may have to quote. */
function* textsIn(node: Declaration): Generator<Text> {
  switch (node.kind) {
    case "alias":
      yield* metaTexts(node.meta);
      break;
    case "enum":
      for (const { value, meta } of node.values) {
        if (value !== undefined) yield value;
        yield* metaTexts(meta);
      }
      break;
    case "struct":
      for (const { meta } of node.fields) yield* metaTexts(meta);
      break;
    case "error":
      yield node.message;
      break;
    case "service":
      yield node.name;
      for (const { annotations } of node.methods)
        for (const { value } of annotations) if (value !== undefined) yield value;
  }
}

function* metaTexts(meta: readonly MetaNode[]): Generator<Text> {
  for (const { value } of meta) yield value;
}

/** Whether RIDL's lexer reads the text as words, slashes, dots and braces. */
function isRidlPath(path: string): boolean {
  return /^(?:\w[\w.~/-]*|[/.{}])+$/.test(path);
}

function checkText({ value, span }: Text, report: Report): void {
  const why = reasonInexpressible(value);
  if (why !== undefined) report(value === "" ? "The empty value" : `The value "${value}"`, why, span);
}

/** Returns why RIDL cannot write a value. */
function reasonInexpressible(value: string): string | undefined {
  if (value === "") return 'leave it out, or for an empty default write "default.empty: true"';
  if (/^[\w ./:,@^$*+-]*$/.test(value)) return undefined;
  if (value.includes("\0")) return "it contains a control character";
  if (value.includes("\\")) {
    // In a single unquoted word, backslashes are not escapes.
    if (/^[A-Za-z0-9_][^\s[\]()<>{}=:?!,"]*$/.test(value)) return undefined;
    return "a backslash is an escape character there; in a pattern, use a character class such as [0-9] or [.]";
  }
  const isBare = !/\s/.test(value) && !value.startsWith('"');
  return isBare || isReadBack(value) ? undefined : "a quote is only allowed at the start of a word";
}

function isReadBack(value: string): boolean {
  const escaped = value.replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll('"', '\\"');
  const { file } = parse(new SourceFile("value", `name = "${escaped}"\n`));
  return file.headers[0]?.value.value === value;
}
