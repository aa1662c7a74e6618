/** Reads what a source file says about itself. */
import ts from "typescript";

export interface Source {
  readonly path: string;
  readonly declarations: readonly Declaration[];
  /** All comments, also those inside functions. */
  readonly comments: string;
  /** Texts, such as messages. */
  readonly texts: string;
  /** Names of everything that the file declares or uses. */
  readonly identifiers: string;
}

export interface Declaration {
  /** From 1. */
  readonly line: number;
  /** `Queue`, or `Queue.take` for a member of a class or an interface. Absent for the comment at the top of the file. */
  readonly name?: string;
  /** The comment in one line; empty if there is none. */
  readonly comment: string;
}

export function readSource(path: string, text: string): Source {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  const comments: string[] = [];
  const starts = new Set<number>();
  const texts: string[] = [];
  const identifiers = new Set<string>();
  const visit = (node: ts.Node): void => {
    // A node starts where its first child starts.
    if (!starts.has(node.pos)) {
      starts.add(node.pos);
      for (const { pos, end } of ts.getLeadingCommentRanges(text, node.pos) ?? [])
        comments.push(oneLine(text.slice(pos, end)));
    }
    if (ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node)) identifiers.add(node.text);
    if (isText(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  const declaration = (node: ts.Node, name: string): Declaration => ({
    line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1,
    name,
    comment: docsOf(node, text),
  });
  return {
    path,
    declarations: [
      ...topComment(file),
      ...file.statements.flatMap((statement) => [
        ...namesOf(statement).map((name) => declaration(statement, name)),
        ...membersOf(statement).map(([member, name]) => declaration(member, name)),
      ]),
    ],
    comments: comments.join(" "),
    texts: texts.join(" "),
    identifiers: [...identifiers].join(" "),
  };
}

/** The comment before the imports. A comment right before a declaration is that of the declaration. */
function topComment({ text, statements: [first] }: ts.SourceFile): readonly Declaration[] {
  const [comment] = ts.getLeadingCommentRanges(text, first?.pos ?? 0) ?? [];
  if (comment === undefined || first === undefined) return [];
  const isOfFile = ts.isImportDeclaration(first) || ts.isExportDeclaration(first);
  return isOfFile ? [{ line: 1, comment: oneLine(text.slice(comment.pos, comment.end)) }] : [];
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
  if (!ts.isClassDeclaration(statement) && !ts.isInterfaceDeclaration(statement)) return [];
  const owner = statement.name?.text ?? "default";
  return statement.members.flatMap((member: ts.ClassElement | ts.TypeElement) => {
    const { name } = member;
    const isNamed = name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name));
    return isNamed ? [[member, `${owner}.${name.text}`] as const] : [];
  });
}

function isText(node: ts.Node): node is ts.Node & { readonly text: string } {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isJsxText(node)
  );
}

function docsOf(node: ts.Node, text: string): string {
  const docs = (node as { readonly jsDoc?: readonly ts.JSDoc[] }).jsDoc?.at(-1);
  return docs === undefined ? "" : oneLine(text.slice(docs.pos, docs.end));
}

function oneLine(comment: string): string {
  return comment
    .replace(/^\/\*+|\*+\/$|^\/\//g, "")
    .replace(/\n\s*(?:\*|\/\/)? ?/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
