import type { MethodNode, TypeNode } from "../../syntax/tree.ts";
import { fileForm } from "../files.ts";
import type { Report, Rule } from "../rule.ts";
import { fileType } from "../types.ts";

/**
 * A file is an argument of a method, single or in a list, or the whole response.
 * Bad: `- picture: file` in a struct, `=> (picture: file, size: int)`. Good: `- Upload(picture: file)`, `- Download() => (file)`.
 */
export const files: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind === "struct")
      for (const { type } of node.fields) rejectFile(type, "a field of a struct", report);
    else if (node.kind === "alias") rejectFile(node.type, "an alias", report);
    else if (node.kind === "service") for (const method of node.methods) checkMethod(method, report);
  }
};

function checkMethod({ input, output }: MethodNode, report: Report): void {
  for (const { name, type } of input.list) {
    if (fileForm(type) === undefined) rejectFile(type, "a part of another type", report);
    else if (input.stream) rejectFile(type, "an argument of a stream", report);
    else if (name.text === jsonPart) report("file-named-json", {}, name.span);
  }
  for (const { type, optional } of output.list) {
    if (output.stream) rejectFile(type, "an item of a stream", report);
    else if (output.list.length > 1) rejectFile(type, "one of several outputs", report);
    else if (optional) rejectFile(type, "an optional output", report);
    else if (fileForm(type) !== "one") rejectFile(type, "a part of another type", report);
  }
  if (output.stream && output.succinct?.text === fileType)
    report("file-place", { place: "an item of a stream" }, output.succinct.span);
}

/** Name of the upload part that holds all arguments that are not files. */
const jsonPart = "json";

function rejectFile(type: TypeNode, place: string, report: Report): void {
  if (type.kind === "list") rejectFile(type.element, place, report);
  else if (type.kind === "map") {
    rejectFile(type.key, "a key of a map", report);
    rejectFile(type.value, "a value of a map", report);
  } else if (type.kind === "named" && type.name === fileType) report("file-place", { place }, type.span);
}
