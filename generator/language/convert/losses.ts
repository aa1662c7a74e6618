import type { Compilation } from "../compile.ts";
import { type Diagnostic, diagnose, type Location } from "../diagnostics/diagnostic.ts";
import type { IrSchema } from "../ir/schema.ts";
import { writeIr } from "../ir/write.ts";
import { isYaml } from "../load.ts";
import type { Declared, Scope } from "../model/scope.ts";
import { parse } from "../ridl/parse.ts";
import { referenceComments, referenceLines } from "../ridl/reference-comments.ts";
import { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";
import { commentsOf, type Documented, docsOf, publicText } from "../syntax/docs.ts";
import type { Comment, Declaration, MetaNode, SchemaFile, Text, TypeNode } from "../syntax/tree.ts";
import { parseYaml } from "../yaml/parse.ts";
import { isRidlWord } from "../yaml/parser/read-context.ts";

/**
 * Reports content of the schema files that the IR does not hold: private comments, documentation of enums and errors, and
 * proxies.
 */
export function findIrLosses(scope: Scope): Diagnostic[] {
  return [...filesOf(scope)].flatMap((file) => [...lossesOf(file)]);
}

function filesOf(root: Scope): Set<SchemaFile> {
  const scopes = new Set([root]);
  for (const { imports } of scopes) for (const { scope } of imports) scopes.add(scope);
  return new Set([...scopes].map(({ file }) => file));
}

function* lossesOf(file: SchemaFile): Generator<Diagnostic> {
  if (file.format === "ir") return;
  const loss = (what: string, span: Comment["span"]): Diagnostic =>
    diagnose("convert-loses", { what, form: "IR JSON" }, { file: file.source, span });
  const keptComments = new Set<Comment>();
  for (const node of documentedIn(file.declarations)) {
    const irHasDocs = node.kind !== "enum" && node.kind !== "error";
    const isExplicit = file.docs?.has(node) ?? false;
    if (!irHasDocs && isExplicit && docsOf(file, node).length > 0)
      yield loss("the docs of an enum or an error", node.name.span);
    if (!irHasDocs || isExplicit) continue;
    for (const comment of commentsOf(file, node))
      if (publicText(file, comment) !== undefined) keptComments.add(comment);
  }
  for (const comment of file.comments)
    if (!keptComments.has(comment)) yield loss("this comment", comment.span);
  for (const node of file.declarations) {
    if (node.kind !== "service") continue;
    for (const method of node.methods)
      if (method.proxy) yield loss('the keyword "proxy" of a method', method.name.span);
  }
}

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

const formatNames: Readonly<Record<TextFormat, string>> = { ridl: "RIDL", yaml: "YAML" };

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

export interface RoundTrip {
  /** The scope and the IR of the input. */
  readonly scope: Scope;
  readonly ir: IrSchema;
  /** The output, parsed and compiled again. */
  readonly reread: Compilation;
  readonly to: TextFormat;
}

/**
 * Reports where the output differs from the input once it is parsed again. This is the only check that notices content dropped in
 * printing.
 */
export function differences({ scope, ir, reread, to }: RoundTrip): Diagnostic[] {
  const form = formatNames[to];
  const { result } = reread;
  if (result === undefined) return [rejectedOutput(scope, reread, form)];
  const before = plainIr(ir);
  const after = plainIr(result.ir);
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const found: Diagnostic[] = [];
  const report = (what: string, at: Declared<Part> | undefined): void => {
    const location =
      at === undefined ? { path: scope.file.source.path } : { file: at.file.source, span: at.node.span };
    found.push(diagnose("convert-differs", { what, form }, location));
  };
  for (const key of ["webrpc", "name", "version", "basepath"] as const)
    if (before[key] !== after[key]) report(`The ${key}`, headerAt(scope, key));
  compareLists(before.types, after.types, scope.types, report);
  compareLists(before.errors, after.errors, scope.errors, report);
  compareLists(before.services, after.services, scope.services, report);
  if (found.length > 0) return found;
  const moved = (before.types ?? []).findIndex((type, index) => type.name !== after.types?.[index]?.name);
  const node = scope.types[moved];
  if (node === undefined)
    return [
      diagnose("convert-differs", { what: "The order of its parts", form }, { path: scope.file.source.path }),
    ];
  const location = { file: node.file.source, span: node.node.name.span };
  return [diagnose("convert-order", { name: node.node.name.text }, location)];
}

/** The IR as data. A missing list and an empty list count as equal, because an IR file may have either. */
function plainIr(ir: IrSchema): PlainIr {
  const lists = new Set(["types", "errors", "services", "methods", "inputs", "outputs", "comments"]);
  return JSON.parse(writeIr(ir), (key, value: unknown) => {
    if (value === null && key === "annotations") return {};
    return value === null && lists.has(key) ? [] : value;
  }) as PlainIr;
}

function headerAt({ file }: Scope, key: string): Declared<Part> | undefined {
  const node = file.headers.find((header) => header.key === key);
  return node && { node, file };
}

/** Reports the first error in the output at the declaration of the input that it comes from. */
function rejectedOutput(scope: Scope, { diagnostics }: Compilation, form: string): Diagnostic {
  const fault = diagnostics.find(({ severity }) => severity === "error");
  const why = fault?.message.replace(/\.$/, "") ?? "it cannot be parsed again";
  const name = fault?.at === undefined ? undefined : declarationAt(fault.at);
  const all: Declared<Declaration>[] = [...scope.types, ...scope.errors, ...scope.services];
  const found = all.find(({ node }) => nameOf(node) === name);
  const what = found === undefined ? "This schema" : `"${nameOf(found.node)}"`;
  const location =
    found === undefined
      ? { path: scope.file.source.path }
      : { file: found.file.source, span: found.node.name.span };
  return diagnose("convert-unsayable", { what, form, why }, location);
}

function declarationAt({ file, span }: Location): string | undefined {
  const read = isYaml(file.path) ? parseYaml(file).file : parse(file).file;
  const node = read?.declarations.find((one) => one.span.start <= span.start && span.start <= one.span.end);
  return node && nameOf(node);
}

function nameOf({ name }: Declaration): string {
  return "value" in name ? name.value : name.text;
}

interface PlainIr {
  readonly webrpc: string;
  readonly name: string;
  readonly version: string;
  readonly basepath: string;
  readonly types: readonly PlainPart[] | null;
  readonly errors: readonly PlainPart[] | null;
  readonly services: readonly PlainPart[] | null;
}

interface PlainPart {
  readonly name: string;
  readonly fields?: readonly PlainPart[];
  readonly methods?: readonly PlainPart[] | null;
}

type Part = { readonly span: Declaration["span"] };

function compareLists(
  before: readonly PlainPart[] | null,
  after: readonly PlainPart[] | null,
  nodes: readonly Declared<Declaration>[],
  report: (what: string, at: Declared<Part> | undefined) => void,
): void {
  const others = new Map((after ?? []).map((part) => [part.name, part]));
  for (const [index, part] of (before ?? []).entries()) {
    const other = others.get(part.name);
    if (other !== undefined && JSON.stringify(part) === JSON.stringify(other)) continue;
    const declared = nodes[index];
    const name = changedMember(part, other);
    report(
      `"${name === undefined ? part.name : `${part.name}.${name}`}"`,
      declared && memberOf(declared, name),
    );
  }
  if ((before ?? []).length !== (after ?? []).length) report("The number of its parts", nodes[0]);
}

function changedMember(part: PlainPart, other: PlainPart | undefined): string | undefined {
  const members = part.fields ?? part.methods ?? [];
  const theirs = other?.fields ?? other?.methods ?? [];
  return members.find((member, index) => JSON.stringify(member) !== JSON.stringify(theirs[index]))?.name;
}

function memberOf({ node, file }: Declared<Declaration>, name: string | undefined): Declared<Part> {
  const members =
    node.kind === "struct"
      ? node.fields
      : node.kind === "enum"
        ? node.values
        : node.kind === "service"
          ? node.methods
          : [];
  return { node: members.find((member) => member.name.text === name) ?? node, file };
}

/**
 * Returns a tree that no longer needs its source text: every comment becomes either documentation of a node or one of the other
 * comments above it. If the reference tool assigns different documentation to a node, the IR's documentation wins and the
 * comments are kept as private ones.
 */
export function detach(file: SchemaFile): SchemaFile {
  if (file.format === "ir") return { ...file, docs: file.docs ?? new Map() };
  const assigner = new CommentAssigner(file);
  for (const node of [...file.headers, ...file.imports]) assigner.addHeadNode(node);
  const reference = file.format === "ridl" ? referenceComments(file) : undefined;
  for (const node of documentedIn(file.declarations)) assigner.add(node, reference);
  assigner.assignRemaining();
  return { ...file, docs: assigner.docs, otherComments: assigner.otherComments };
}

type Node = Documented & { readonly kind: string; readonly name: { readonly span: Span } };

class CommentAssigner {
  readonly docs: Map<object, readonly string[]> = new Map();
  readonly otherComments: Map<object, string[]> = new Map();
  /** Private comments from directly above a node; they stay directly above it. */
  readonly #adjacent = new Map<object, string[]>();
  readonly #file: SchemaFile;
  readonly #assigned = new Set<Comment>();
  /** All nodes that can have comments above them, with their start offsets. */
  readonly #nodes: { readonly node: object; readonly start: number; readonly isHead: boolean }[] = [];

  constructor(file: SchemaFile) {
    this.#file = file;
  }

  /** Adds a header or an import. Comments above it describe the file and are not in the IR. */
  addHeadNode(node: { readonly span: { readonly start: number } }): void {
    this.#nodes.push({ node, start: node.span.start, isHead: true });
  }

  add(node: Node, reference: ReadonlyMap<object, readonly string[]> | undefined): void {
    const start = Math.min(node.span.start, node.annotations?.[0]?.span.start ?? node.span.start);
    this.#nodes.push({ node, start, isHead: false });
    const comments = commentsOf(this.#file, node).filter((comment) => !this.#assigned.has(comment));
    for (const comment of comments) this.#assigned.add(comment);
    const docs = docsOf(this.#file, node);
    const irDocs = reference === undefined || !isInIr(node) ? undefined : (reference.get(node) ?? []);
    const agreesWithIr = irDocs === undefined || sameLines(referenceLines(docs), irDocs);
    this.docs.set(node, agreesWithIr ? docs : irDocs);
    const hasOwnDocs = this.#file.docs?.has(node) ?? false;
    for (const comment of comments) {
      const isDocumentation = agreesWithIr && !hasOwnDocs && publicText(this.#file, comment) !== undefined;
      if (!isDocumentation) append(this.#adjacent, node, this.#private(comment));
    }
  }

  /** Assigns comments that belong to no node: a trailing comment to the node before it, any other to the next node. */
  assignRemaining(): void {
    const nodes = this.#nodes.toSorted((a, b) => a.start - b.start);
    let next = 0;
    let last: { owner: object; line: number } | undefined;
    for (const comment of this.#file.comments) {
      while ((nodes[next]?.start ?? Number.POSITIVE_INFINITY) < comment.span.start) next++;
      if (this.#assigned.has(comment)) continue;
      const line = this.#file.source.lineAt(comment.span.start);
      const owner = (comment.trailing ? nodes[next - 1] : undefined) ?? nodes[next];
      const text = this.#text(comment);
      const node = owner?.node ?? this.#file.source;
      if (last?.owner === node && line > last.line + 1 && owner?.isHead !== true)
        append(this.otherComments, node, "");
      last = { owner: node, line };
      if (owner === undefined) append(this.otherComments, node, text);
      else if (owner.isHead && !text.startsWith("#!"))
        this.docs.set(owner.node, [...(this.docs.get(owner.node) ?? []), text.replace(/^# ?/, "")]);
      else append(this.otherComments, node, comment.trailing ? this.#private(comment) : text);
    }
    for (const [node, texts] of this.#adjacent)
      for (const text of texts) append(this.otherComments, node, text);
  }

  #text({ span }: Comment): string {
    return this.#file.source.text.slice(span.start, span.end).trimEnd();
  }

  /** `# note` → `#! note`, so that the comment is not mistaken for documentation in its new position. */
  #private(comment: Comment): string {
    return this.#text(comment).replace(/^#!?/, "#!");
  }
}

function append(lists: Map<object, string[]>, node: object, text: string): void {
  const list = lists.get(node);
  if (list === undefined) lists.set(node, [text]);
  else list.push(text);
}

/** The IR has no documentation of enums and errors. */
function isInIr({ kind }: Node): boolean {
  return kind !== "enum" && kind !== "error";
}

function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

function* documentedIn(declarations: readonly Declaration[]): Generator<Node> {
  for (const node of declarations) {
    yield node;
    if (node.kind === "struct") yield* node.fields;
    else if (node.kind === "enum") yield* node.values;
    else if (node.kind === "service") yield* node.methods;
  }
}
