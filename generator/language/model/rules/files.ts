import type { ArgumentNode, ArgumentsNode, MethodNode, StructNode, TypeNode } from "../../syntax/tree.ts";
import { fileFieldsOf, fileForm, structWithFiles } from "../files.ts";
import type { Report, ReportExtra, Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";
import { fileType } from "../types.ts";
import { wireNameOf } from "./json-names.ts";

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
    else if (wireNameOf(field) === jsonPart) report("file-named-json", {}, field.name.span);
  }
}

function checkMethod({ input, output }: MethodNode, scope: Scope, report: Report): void {
  for (const argument of input.list) checkArgument(argument, input.stream, scope, report);
  if (input.stream && input.succinct !== undefined)
    rejectStruct(input.succinct.text, input.succinct.span, "a part of a stream", scope, report);
  checkPartNames(input, scope, report);
  checkOutput(output, scope, report);
}

function checkArgument({ name, type }: ArgumentNode, isStream: boolean, scope: Scope, report: Report): void {
  const form = fileForm(type);
  const isDirect = form !== undefined || structWithFiles(type, scope) !== undefined;
  if (!isDirect) rejectFiles(type, "a part of another type", scope, report);
  else if (isStream) rejectFiles(type, "an argument of a stream", scope, report);
  else if (form !== undefined && name.text === jsonPart) report("file-named-json", {}, name.span);
}

/** Each file of a method is a part of one form, so its name is unique. */
function checkPartNames({ succinct, list }: ArgumentsNode, scope: Scope, report: Report): void {
  if (succinct !== undefined) return;
  const taken = new Set<string>();
  for (const { name, type } of list) {
    const struct = structWithFiles(type, scope);
    const names =
      struct === undefined
        ? fileForm(type) === undefined
          ? []
          : [name.text]
        : fileFieldsOf(struct).flatMap((field) => wireNameOf(field) ?? []);
    for (const part of names) {
      if (taken.has(part)) report("file-name-clash", { name: part }, name.span);
      taken.add(part);
    }
  }
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
  return { fix: { title: 'Remove "?"', file, edits: [{ span: at, text: "" }] } };
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
