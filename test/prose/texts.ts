/** What people read in a source file: its comments and messages, each at its own place, and the names that it declares. */
import ts from "typescript";

export interface SourceTexts {
  /** The file with all but comments and messages replaced by blanks, so that positions stay the same. */
  readonly prose: string;
  readonly names: readonly { readonly name: string; readonly line: number }[];
}

export function textsOf(path: string, text: string): SourceTexts {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const ranges = new Map<number, number>();
  const names: { name: string; line: number }[] = [];
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of [
      ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ])
      ranges.set(pos, end);
    if (isMessage(node)) ranges.set(node.getStart() + 1, node.end - 1);
    if (ts.isIdentifier(node) && isDeclared(node))
      names.push({ name: node.text, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    ts.forEachChild(node, visit);
  };
  visit(source);
  const blank = text.replaceAll(/[^\n]/g, " ");
  let prose = "";
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    if (from < prose.length) continue;
    prose += blank.slice(prose.length, from) + text.slice(from, to);
  }
  return { prose: prose + blank.slice(prose.length), names };
}

/** A text with a blank between two words, which is not the path of an import. */
function isMessage(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node.parent ?? node)) return false;
  return (
    (ts.isStringLiteral(node) ||
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)) &&
    /[a-z] [a-z]/i.test(node.text)
  );
}

function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  return "name" in parent && parent.name === node && !ts.isPropertyAccessExpression(parent);
}
