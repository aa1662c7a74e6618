import type { MethodNode, Name } from "../../syntax/tree.ts";
import { isCoreType } from "../core-types/index.ts";
import { isFileOutput } from "../files.ts";
import { foldCase } from "../names.ts";
import type { Report, ReportExtra, Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";
import { fileType } from "../types.ts";
import { suggestDeclared } from "./known-types.ts";

/**
 * In the succinct form, input and output are one struct each.
 * Bad: `- Get(GetRequest)`, `- Get(Kind) => (Pet)` with an enum. Good: `- Get(GetRequest) => (GetResponse)`.
 */
export const succinct: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind !== "service" || scope.file.format === "ir") continue;
    for (const method of node.methods) {
      const { name, input, output } = method;
      // A file response has no JSON body, so the input may use either form.
      const isFile = isFileOutput(output, scope);
      const sides = isFile ? [input.succinct] : [input.succinct, output.succinct];
      const named = sides.filter((side) => side !== undefined);
      if (named.length === 1 && !isFile)
        report("succinct-pair", { method: name.text }, named[0]?.span ?? name.span, () =>
          declaringStruct(method, scope),
        );
      for (const side of named) checkStruct(side, scope, report);
    }
  }
};

/**
 * Declares a struct for the other side at the end of the file: `- Find(Query) => (pet: Pet)` → `=> (FindResponse)`. The wire
 * format of both sides stays the same.
 */
function declaringStruct(
  { name, input, output }: MethodNode,
  { file, typeByFoldedName }: Scope,
): ReportExtra {
  const { text } = file.source;
  if (file.format !== "ridl" || text.includes("\0")) return {};
  const [side, suffix] = input.succinct === undefined ? [input, "Request"] : [output, "Response"];
  const struct = `${name.text.charAt(0).toUpperCase()}${name.text.slice(1)}${suffix}`;
  const isAbsent = side.span.start === input.span.start && side !== input;
  const written = isAbsent ? "()" : text.slice(side.span.start, side.span.end);
  // No fix while the argument list is unclosed or the name is taken.
  if (typeByFoldedName.has(foldCase(struct)) || !/^\(.*\)$/.test(written)) return {};
  const fields = side.list.map(({ span }) => `\n  - ${text.slice(span.start, span.end).trim()}`);
  const reference = isAbsent
    ? { span: { start: side.span.end, end: side.span.end }, text: ` => (${struct})` }
    : { span: side.span, text: `(${struct})` };
  const end = { start: text.length, end: text.length };
  const declaration = `${text.endsWith("\n") ? "" : "\n"}\nstruct ${struct}${fields.join("")}\n`;
  const edits = [reference, { span: end, text: declaration }];
  return { fix: { title: `Declare the struct "${struct}"`, file: file.source, edits } };
}

function checkStruct({ text: name, span }: Name, scope: Scope, report: Report): void {
  const found = scope.typeByFoldedName.get(foldCase(name))?.node;
  if (found?.kind === "struct") return;
  if (found !== undefined)
    report("succinct-type", { name, kind: found.kind === "enum" ? "an enum" : "an alias" }, span);
  else if (isCoreType(name) || name === fileType)
    report("succinct-type", { name, kind: "a core type" }, span);
  else if (!scope.hasUnreadImports && !scope.mayBeUnparsed(name)) {
    const structs = (): string[] =>
      scope.types.filter(({ node }) => node.kind === "struct").map(({ node }) => node.name.text);
    const location = { file: scope.file.source, span };
    report("unknown-type", { name }, span, suggestDeclared(name, location, structs, scope));
  }
}
