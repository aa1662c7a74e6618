import { posix } from "node:path";
import type { DiagnosticExtras, Fix } from "../diagnostics/diagnostic.ts";
import type { Declaration, Import, SchemaFile } from "../syntax/tree.ts";
import type { Scope } from "./scope.ts";

/**
 * Suggests how to reach a name that another file of the schema declares: add the missing import, or add the name to the import's
 * member list. Returns undefined if no file declares it.
 */
export function suggestImport(name: string, scope: Scope): DiagnosticExtras | undefined {
  for (const file of scope.allFiles()) {
    const node = file === scope.file ? undefined : file.declarations.find((each) => nameOf(each) === name);
    if (node === undefined) continue;
    const { path } = file.source;
    const notes = [
      { message: `"${name}" is declared here.`, at: { file: file.source, span: nameSpan(node) } },
    ];
    const listing = scope.imports.find(({ scope: from }) => declares(from, name))?.node;
    const advice =
      listing === undefined
        ? `It is declared in "${path}", which this file does not import.`
        : `It is declared in "${path}"; add it to the members that this file imports.`;
    const fix =
      listing === undefined ? addImportFix(file, scope) : addListedMemberFix(name, listing, scope.file);
    return { advice, notes, ...(fix === undefined ? {} : { fix }) };
  }
  return undefined;
}

function nameOf(node: Declaration): string {
  return node.kind === "service" ? node.name.value : node.name.text;
}

function nameSpan(node: Declaration): Declaration["span"] {
  return node.name.span;
}

function declares({ typeByName, errorByName }: Scope, name: string): boolean {
  return typeByName.has(name) || errorByName.has(name);
}

/** Adds a line below the last import, unless that would create an import cycle. */
function addImportFix(target: SchemaFile, scope: Scope): Fix | undefined {
  const { file } = scope;
  if (file.format !== "ridl" || scope.importsFile(target, file)) return undefined;
  const path = posix.relative(posix.dirname(file.source.path), target.source.path);
  const last = file.imports.at(-1);
  const at = lineEnd(file, last === undefined ? (file.headers.at(-1)?.span.end ?? 0) : endOf(last));
  const indent =
    / *$/.exec(file.source.text.slice(0, last === undefined ? 0 : dashOf(file, last)))?.[0] ?? "";
  const text = last?.listKeywordSpan === undefined ? `\n\nimport ${path}` : `\n${indent}- ${path}`;
  return { title: `Import "${path}"`, file: file.source, edits: [{ span: { start: at, end: at }, text }] };
}

function endOf({ path, members }: Import): number {
  return (members.at(-1) ?? path).span.end;
}

/** The end of the line, after any trailing comment. */
function lineEnd({ source }: SchemaFile, offset: number): number {
  const end = source.text.indexOf("\n", offset);
  return end === -1 ? source.text.length : end;
}

function dashOf({ source }: SchemaFile, { path }: Import): number {
  return source.text.lastIndexOf("-", path.span.start);
}

function addListedMemberFix(name: string, { path }: Import, file: SchemaFile): Fix | undefined {
  return file.format === "ridl" ? addMemberFix(name, path.span.end, file) : undefined;
}

export function addMemberFix(name: string, pathEnd: number, file: SchemaFile): Fix {
  const edits = [{ span: { start: pathEnd, end: pathEnd }, text: `\n  - ${name}` }];
  return { title: `Import "${name}" too`, file: file.source, edits };
}
