/** Reads what the sources say about themselves: the comment of each file, and that of each declaration in it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

export interface Declaration {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Absent for the comment at the top of a file. */
  readonly name?: string;
  /** The comment in one line; empty if there is none. */
  readonly text: string;
}

/** Of both products, without tests and generated code. */
export function allDeclarations(root: string): readonly Declaration[] {
  return sources(root).flatMap((path) => declarationsIn(path, readFileSync(join(root, path), "utf8")));
}

function sources(folder: string): readonly string[] {
  return ["generator", "server", "client"].flatMap((half) =>
    readdirSync(join(folder, half), { recursive: true, encoding: "utf8" })
      .filter((path) => /(?<![.]d)[.]tsx?$/.test(path) && !/(^|[\\/])(dist|node_modules)[\\/]/.test(path))
      .map((path) => `${half}/${path.replaceAll("\\", "/")}`),
  );
}

export function declarationsIn(path: string, text: string): readonly Declaration[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const head = topComment(source);
  return [
    ...(head === undefined ? [] : [{ path, line: 1, text: oneLine(head) }]),
    ...source.statements.flatMap((statement) =>
      namesOf(statement).map((name) => ({
        path,
        line: lineOf(statement.getStart(source)),
        name,
        text: oneLine(docsOf(statement, source)),
      })),
    ),
  ];
}

/** The comment before the imports. A comment right before a declaration is that of the declaration. */
function topComment(source: ts.SourceFile): string | undefined {
  const [first] = source.statements;
  const [comment] = ts.getLeadingCommentRanges(source.text, first?.getFullStart() ?? 0) ?? [];
  if (comment === undefined || first === undefined) return undefined;
  const isOfFile = ts.isImportDeclaration(first) || ts.isExportDeclaration(first);
  return isOfFile ? source.text.slice(comment.pos, comment.end) : undefined;
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  const { name } = statement as { readonly name?: ts.Node };
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
}

function docsOf(statement: ts.Statement, source: ts.SourceFile): string {
  const docs = (statement as { readonly jsDoc?: readonly ts.JSDoc[] }).jsDoc?.at(-1);
  return docs === undefined ? "" : source.text.slice(docs.pos, docs.end);
}

function oneLine(comment: string): string {
  return comment
    .replace(/^\/\*+|\*+\/$|^\/\//g, "")
    .replace(/\n\s*(?:\*|\/\/)? ?/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
