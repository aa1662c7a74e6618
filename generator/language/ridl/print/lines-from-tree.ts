import { commentPool } from "../reference-comments.ts";
import type { Line } from "./align.ts";
import { wantsBlankLine } from "./blank-lines.ts";
import type { Statement } from "./statement.ts";

/**
 * Prints a tree that has no RIDL text behind it. Documentation goes above its statement, with a blank line before documented
 * statements.
 */
export function linesFromTree(
  statements: readonly Statement[],
  finalComments: readonly string[] = [],
): Line[] {
  const lines: Line[] = [];
  for (const [index, statement] of statements.entries()) {
    const before = statements[index - 1];
    const hasGap = before !== undefined && wantsSpaceAbove(statement, before);
    if (before !== undefined && wantsBlankLine({ before, entry: statement, statement, hasGap }))
      lines.push({ indent: 0, text: "" });
    lines.push(...otherCommentLines(statement));
    const docs = unprintedDocs(statement, lines.at(-1)?.text === "" ? undefined : before);
    for (const text of docs.flatMap((doc) => doc.split("\n")))
      lines.push({ indent: statement.level, text: text === "" ? "#" : `# ${text}` });
    const line = { indent: statement.level, text: statement.text };
    lines.push(statement.cells === undefined ? line : { ...line, cells: statement.cells });
  }
  if (finalComments.length > 0)
    lines.push({ indent: 0, text: "" }, ...finalComments.map((text) => ({ indent: 0, text })));
  return lines;
}

/** Private comments go directly above the statement. Others need a blank line below, or they would become documentation. */
function otherCommentLines({ otherComments, level }: Statement): Line[] {
  return otherComments.flatMap((text, index) => {
    const needsBlankLine =
      text !== "" && !text.startsWith("#!") && (otherComments[index + 1]?.startsWith("#!") ?? true);
    const line = text === "" ? { indent: 0, text } : { indent: level, text };
    return needsBlankLine ? [line, { indent: 0, text: "" }] : [line];
  });
}

/**
 * Returns the documentation to print. The reference tool reads "#" inside a value as a comment. Omits documentation that the tool
 * already reads from the statement itself or from the meta line directly above.
 */
function unprintedDocs({ docs, text }: Statement, before: Statement | undefined): readonly string[] {
  const above = before?.kind === "meta" ? commentPool(`${before.text}\n`).get(1) : undefined;
  const own = commentPool(`${text}\n`).get(1);
  const from = above !== undefined && docs[0] === above ? 1 : 0;
  return docs.slice(from, own !== undefined && docs.at(-1) === own ? -1 : undefined);
}

/** Separates documented errors and headers, and methods if either neighbour takes more than one line. */
function wantsSpaceAbove(statement: Statement, before: Statement): boolean {
  if (statement.otherComments.length > 0) return true;
  if (statement.level === 0) return statement.docs.length > 0;
  if (before.kind === "path") return true;
  const isMethod = statement.kind === "method" || statement.kind === "annotations";
  return (
    isMethod && (statement.docs.length > 0 || statement.kind === "annotations" || before.docs.length > 0)
  );
}
