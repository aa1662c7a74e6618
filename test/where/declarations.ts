/** Reads what the sources say about themselves: the comments of files and declarations, and the texts in them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

export interface Declaration {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** `Queue`, or `Queue.take` for a member of a class. Absent for the comment at the top of a file. */
  readonly name?: string;
  /** The comment in one line; empty if there is none. */
  readonly text: string;
  /** The texts in the code, such as messages. */
  readonly literals: string;
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
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  const declaration = (node: ts.Node, name: string): Declaration => ({
    path,
    line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
    name,
    text: oneLine(docsOf(node, source)),
    literals: literalsIn(node).join(" "),
  });
  const head = topComment(source);
  return [
    ...(head === undefined ? [] : [{ path, line: 1, text: oneLine(head), literals: "" }]),
    ...source.statements.flatMap((statement) => [
      ...namesOf(statement).map((name) => declaration(statement, name)),
      ...membersOf(statement).map(([member, name]) => declaration(member, name)),
    ]),
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

function membersOf(statement: ts.Statement): readonly (readonly [ts.Node, string])[] {
  if (!ts.isClassDeclaration(statement)) return [];
  const owner = statement.name?.text ?? "default";
  return statement.members.flatMap((member) => {
    const { name } = member;
    const isNamed = name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name));
    return isNamed ? [[member, `${owner}.${name.text}`] as const] : [];
  });
}

function literalsIn(node: ts.Node): readonly string[] {
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
    return [node.text];
  const texts: string[] = [];
  node.forEachChild((child) => void texts.push(...literalsIn(child)));
  return texts;
}

function docsOf(node: ts.Node, source: ts.SourceFile): string {
  const docs = (node as { readonly jsDoc?: readonly ts.JSDoc[] }).jsDoc?.at(-1);
  return docs === undefined ? "" : source.text.slice(docs.pos, docs.end);
}

function oneLine(comment: string): string {
  return comment
    .replace(/^\/\*+|\*+\/$|^\/\//g, "")
    .replace(/\n\s*(?:\*|\/\/)? ?/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
