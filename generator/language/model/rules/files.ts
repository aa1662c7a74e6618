import type { SourceFile } from "../../source/source-file.ts";
import type { Span } from "../../source/span.ts";
import { hasCommentLine } from "../../syntax/docs.ts";
import {
  type AnnotationNode,
  type ArgumentNode,
  type ArgumentsNode,
  type Header,
  type HeaderKey,
  type MetaNode,
  type MethodNode,
  methodsIn,
  type SchemaFile,
  type StructNode,
  type Text,
  type TypeNode,
} from "../../syntax/tree.ts";
import { fileFieldsOf, fileForm, structWithFiles } from "../files.ts";
import { replaceFix, suggestName } from "../names.ts";
import type { Report, ReportExtra, Rule } from "../rule.ts";
import type { Scope, TypeDeclarationNode } from "../scope.ts";
import { fileType } from "../types.ts";
import { formNameOf } from "./names.ts";

/**
 * Each header appears at most once, and every file has `webrpc = v1`.
 * Bad: a file without it, or `webrpc = v2`. Good: `webrpc = v1` as the first line.
 */
export const headers: Rule = (scope, report) => {
  const first = new Map<HeaderKey, Header>();
  for (const header of scope.file.headers) {
    const earlier = first.get(header.key);
    if (earlier === undefined) first.set(header.key, header);
    else {
      const notes = [{ message: "First set here.", at: { file: scope.file.source, span: earlier.span } }];
      report("duplicate-header", { key: header.key }, header.span, { notes });
    }
  }
  const webrpc = first.get("webrpc");
  if (webrpc === undefined) reportMissing(scope, report);
  else if (webrpc.value.value !== "v1")
    report("webrpc-version", { found: webrpc.value.value }, webrpc.value.span, {
      suggestion: replaceFix("v1", { file: scope.file.source, span: webrpc.value.span }),
    });
};

function reportMissing({ file }: Scope, report: Report): void {
  if (file.unparsed?.words.has("webrpc") === true) return;
  const start = { start: 0, end: 0 };
  const top = /^\uFEFF*/.exec(file.source.text)?.[0].length ?? 0;
  const edits = [{ span: { start: top, end: top }, text: "webrpc = v1\n" }];
  const fix = { title: 'Write "webrpc = v1" at the top', file: file.source, edits };
  report("webrpc-missing", {}, start, file.format === "ridl" ? { fix } : {});
}

export function headerOf(scope: Scope, key: HeaderKey): Header | undefined {
  return scope.file.headers.find((header) => header.key === key);
}

/**
 * A file with services, its own or imported, has a version.
 * Bad: only `service A`. Good: `version = v1.0.0` above it.
 */
export const version: Rule = (scope, report) => {
  const [service] = scope.services;
  if (service === undefined || (headerOf(scope, "version")?.value.value ?? "") !== "") return;
  if (scope.file.unparsed?.words.has("version") === true) return;
  const isOwn = service.file === scope.file;
  const span = isOwn
    ? service.node.name.span
    : (scope.imports.find(({ scope: from }) => from.services.includes(service))?.node.span ?? {
        start: 0,
        end: 0,
      });
  report("version-required", {}, span, isOwn ? versionFix(scope) : {});
};

/** A file that is imported gets the version of the schema: only the entry file's own version has an effect. */
function versionFix({ file, allFiles, importsFile }: Scope): ReportExtra {
  const importing = allFiles().filter((other) => other !== file && importsFile(other, file));
  const known = importing.flatMap(({ headers }) => headers.find(({ key }) => key === "version") ?? []);
  const version = known.at(-1)?.value.value;
  const above = file.headers.findLast(({ key }) => key === "webrpc" || key === "name");
  if (version === undefined || above === undefined || file.format === "ir") return {};
  const line = `version ${file.format === "yaml" ? ":" : "="} ${version}`.replace(" :", ":");
  const edits = [{ span: { start: above.span.end, end: above.span.end }, text: `\n${line}` }];
  return {
    advice: `Files are checked on their own, so this one needs the line, too: "${line}". Only the version of the file that imports it has an effect.`,
    fix: { title: `Add "${line}"`, file: file.source, edits },
  };
}

/**
 * The basepath is a plain path: no whitespace, query, fragment, host or broken escape.
 * Bad: `basepath = "/a b"`, `basepath = https://x/rpc`. Good: `basepath = /rpc`.
 */
export const basepath: Rule = (scope, report) => {
  const header = headerOf(scope, "basepath");
  if (header === undefined) return;
  const { value, span } = header.value;
  const reason = invalidPatterns.find(([pattern]) => pattern.test(value))?.[1];
  if (reason !== undefined) report("basepath", { value, reason }, span);
};

/**
 * The entry file should state the path of its services. The basepath of an imported file has no effect.
 * Bad: services and no basepath. Good: `basepath = /rpc`.
 */
export const basepathGiven: Rule = (scope, report) => {
  const [service] = scope.services;
  if (service === undefined || headerOf(scope, "basepath") !== undefined) return;
  if (scope.file.unparsed?.words.has("basepath") === true) return;
  const above = headerOf(scope, "version")?.span;
  const extra =
    above !== undefined && scope.file.format === "ridl" && !scope.file.unparsed?.words.size
      ? addBasepathFix(scope.file.source, above.end)
      : {};
  report("basepath-missing", {}, above ?? { start: 0, end: 0 }, extra);
};

/** Writes the default basepath explicitly, below the line with the version. No fix if the line has a mistake. */
function addBasepathFix(file: SourceFile, versionEnd: number): ReportExtra {
  const rest = /^[ \t]*(#[^\0\r\n]*)?(?=\r?\n|$)/.exec(file.text.slice(versionEnd))?.[0];
  if (rest === undefined) return {};
  const at = versionEnd + rest.length;
  const edits = [{ span: { start: at, end: at }, text: "\nbasepath = /rpc" }];
  return { fix: { title: 'Write "basepath = /rpc"', file, edits } };
}

const invalidPatterns: readonly (readonly [RegExp, string])[] = [
  [/[ \t\r\n]/, "must not contain white space"],
  [/[?#]/, "must not have a query or a fragment"],
  [/:\/\//, "must be a path, not a whole URL"],
  [/[\x00-\x1f\x7f]/, "must not contain a control character"],
  [/%(?![0-9a-fA-F]{2})/, 'has a "%" that is not followed by two hex digits'],
];

/** `rpc` → `/rpc/`. A missing basepath becomes `/rpc/` if there are services, and stays empty otherwise. */
export function normalizeBasepath(value: string | undefined, hasServices: boolean): string {
  if (value === undefined || value === "") return hasServices ? "/rpc/" : "";
  return `${value.startsWith("/") ? "" : "/"}${value}${value.endsWith("/") ? "" : "/"}`;
}

/**
 * The members that an import lists must exist in the imported file.
 * Bad: `import types.ridl` with `- Usr`. Good: `- User`.
 */
export const importedMembers: Rule = (scope, report) => {
  for (const { node, scope: from } of scope.imports) {
    if (node.members.length === 0) continue;
    const known = new Set([
      ...from.types.map(({ node: type }) => type.name.text),
      ...from.errors.map(({ node: error }) => error.name.text),
      ...from.services.map(({ node: service }) => service.name.value),
    ]);
    for (const { value: member, span } of node.members) {
      if (known.has(member) || from.mayBeUnparsed(member)) continue;
      const extra = suggestName(member, { file: scope.file.source, span }, () => known);
      report("unknown-import-member", { member, path: node.path.value }, span, extra);
    }
  }
};

/**
 * A file is an argument of a method or a field of a struct that is one, single or in a list, or the whole response.
 * Bad: `=> (picture: file, size: int)`, a struct with a file in a list. Good: `- Upload(picture: file)`, `- Download() => (file)`.
 */
export const files: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind === "struct") checkStruct(node, scope, report);
    else if (node.kind === "alias") rejectFiles(node.type, "an alias", scope, report);
    else if (node.kind === "service") for (const method of node.methods) checkMethod(method, scope, report);
  }
};

function checkStruct(node: StructNode, scope: Scope, report: Report): void {
  for (const field of node.fields) {
    if (fileForm(field.type) === undefined) rejectFiles(field.type, "a part of a struct", scope, report);
  }
}

function checkMethod({ input, output }: MethodNode, scope: Scope, report: Report): void {
  for (const argument of input.list) checkArgument(argument, input.stream, scope, report);
  if (input.stream && input.succinct !== undefined)
    rejectStruct(input.succinct.text, input.succinct.span, "a part of a stream", scope, report);
  checkPartNames(input, scope, report);
  checkOutput(output, scope, report);
}

function checkArgument({ type }: ArgumentNode, isStream: boolean, scope: Scope, report: Report): void {
  const isDirect = fileForm(type) !== undefined || structWithFiles(type, scope) !== undefined;
  if (!isDirect) rejectFiles(type, "a part of another type", scope, report);
  else if (isStream) rejectFiles(type, "an argument of a stream", scope, report);
}

/** Each file of a method is a part of one form, next to the part "json", so its name is unique. */
function checkPartNames({ succinct, list }: ArgumentsNode, scope: Scope, report: Report): void {
  const taken = new Set<string>();
  const check = (parts: readonly string[], span: Span): void => {
    for (const part of parts) {
      if (part === jsonPart) report("file-named-json", {}, span);
      else if (taken.has(part)) report("file-name-clash", { name: part }, span);
      taken.add(part);
    }
  };
  if (succinct !== undefined) check(filePartsOf(scope.typeByName.get(succinct.text)?.node), succinct.span);
  for (const { name, type } of list) {
    const struct = structWithFiles(type, scope);
    check(fileForm(type) === undefined ? filePartsOf(struct) : [name.text], name.span);
  }
}

function filePartsOf(node: TypeDeclarationNode | undefined): readonly string[] {
  return node?.kind === "struct" ? fileFieldsOf(node).flatMap((field) => formNameOf(field) ?? []) : [];
}

function checkOutput({ succinct, list, stream }: ArgumentsNode, scope: Scope, report: Report): void {
  if (stream && succinct?.text === fileType)
    report("file-place", { place: "an item of a stream" }, succinct.span);
  else if (succinct !== undefined) rejectStruct(succinct.text, succinct.span, "a response", scope, report);
  for (const argument of list) {
    const { type, optional } = argument;
    if (stream) rejectFiles(type, "an item of a stream", scope, report);
    else if (fileForm(type) !== "one") rejectFiles(type, "a part of a response", scope, report);
    else if (list.length > 1) rejectFiles(type, "one of several outputs", scope, report);
    else if (optional)
      report("file-never-absent", { name: argument.name.text }, argument.name.span, () =>
        withoutMark(argument, scope),
      );
  }
}

/** `(picture?: file)` → `(picture: file)`. */
function withoutMark({ name }: ArgumentNode, { file: { source: file, format } }: Scope): ReportExtra {
  const at = { start: name.span.end, end: name.span.end + 1 };
  if (format !== "ridl" || file.text.slice(at.start, at.end) !== "?") return {};
  return { suggestion: { title: 'Remove "?"', file, edits: [{ span: at, text: "" }] } };
}

/** Name of the upload part that holds all arguments that are not files. */
const jsonPart = "json";

/** Rejects files anywhere in a type, and structs that have one. Aliases are checked where they are declared. */
function rejectFiles(type: TypeNode, place: string, scope: Scope, report: Report): void {
  if (type.kind === "list") rejectFiles(type.element, place, scope, report);
  else if (type.kind === "map") {
    rejectFiles(type.key, "a key of a map", scope, report);
    rejectFiles(type.value, "a value of a map", scope, report);
  } else if (type.kind === "named") {
    if (type.name === fileType) report("file-place", { place }, type.span);
    else rejectStruct(type.name, type.span, place, scope, report);
  }
}

function rejectStruct(
  name: string,
  span: TypeNode["span"],
  place: string,
  scope: Scope,
  report: Report,
): void {
  if (structWithFiles({ kind: "named", name, span }, scope) !== undefined)
    report("file-struct-place", { name, place }, span);
}

/**
 * Reports content that the reference tool silently drops or garbles: documentation above annotations on several lines, and
 * non-ASCII characters in values.
 * Bad: `@auth:"key"` and `@internal` on separate lines. Good: `@auth:"key" @internal` on one.
 */
export const referenceLosses: Rule = (scope, report) => {
  const { file } = scope;
  if (file.format !== "ridl") return;
  if (beyondAscii.test(file.source.text)) for (const text of garbledTexts(file)) warnAboutValue(text, report);
  for (const method of methodsIn(file)) warnAboutDocs(method, file, report);
};

/** Yields all texts that the reference tool unescapes byte by byte. */
function* garbledTexts({ headers, declarations }: SchemaFile): Generator<Garbled> {
  for (const { value } of headers) yield value;
  for (const node of declarations) {
    switch (node.kind) {
      case "error":
        if (node.message.quoted) yield node.message;
        break;
      case "alias":
        yield* metaTexts(node.meta);
        break;
      case "struct":
        for (const { meta } of node.fields) if (meta.length > 0) yield* metaTexts(meta);
        break;
      case "enum":
        for (const { value, meta } of node.values) {
          if (value !== undefined) yield value;
          yield* metaTexts(meta);
        }
        break;
      case "service":
        yield node.name;
        for (const { annotations } of node.methods)
          for (const { value } of annotations) if (value?.quoted === true) yield value;
    }
  }
}

const beyondAscii = /[^\x00-\x7f]/;

type Garbled = Pick<Text, "value" | "span">;

function* metaTexts(meta: readonly MetaNode[]): Generator<Garbled> {
  for (const { key, value } of meta) {
    yield { value: key.text, span: key.span };
    yield value;
  }
}

function warnAboutValue({ value, span }: Garbled, report: Report): void {
  if (beyondAscii.test(value)) report("non-ascii-value", {}, span);
}

function warnAboutDocs({ annotations, name }: MethodNode, file: SchemaFile, report: Report): void {
  const [first] = annotations;
  if (first === undefined || annotations.length < 2) return;
  const firstLine = file.source.lineAt(first.span.start);
  const isSpread = annotations.some(({ span }) => file.source.lineAt(span.start) !== firstLine);
  if (isSpread && hasCommentLine(file, firstLine - 1))
    report("annotations-hide-docs", { method: name.text }, first.span, () => onOneLine(annotations, file));
}

/** No fix if there are comments between the annotations: joining the lines would make them part of an annotation. */
function onOneLine(annotations: readonly AnnotationNode[], { source: file }: SchemaFile): ReportExtra {
  const gaps = annotations.slice(1).map(({ span }, index) => ({
    start: annotations[index]?.span.end ?? span.start,
    end: span.start,
  }));
  const between = gaps.map(({ start, end }) => file.text.slice(start, end));
  if (between.some((text) => text.trim() !== "")) return {};
  const edits = gaps
    .filter((_, index) => between[index]?.includes("\n"))
    .map((span) => ({ span, text: " " }));
  return { fix: { title: "Put the annotations on one line", file, edits } };
}
