/**
 * Parses the imports of generated files and runtime sources. All imports are at the top, where our printers and
 * formatter put them.
 */

/** An import or export statement: `import { type A, b as c } from "./x.ts";`. */
export interface Statement {
  readonly keyword: "import" | "export";
  /** The whole statement is `import type` or `export type`. */
  readonly isType: boolean;
  /** `"*"` for `export * from`, `"* as v"`, or undefined if names are listed. */
  readonly namespace: string | undefined;
  readonly names: readonly ImportedName[];
  readonly from: string;
}

export interface ImportedName {
  readonly name: string;
  /** Name within the file. */
  readonly local: string;
  readonly isType: boolean;
}

/** An emitted file, or a source file of the runtime. */
export interface SourcePart {
  /** Relative to the output folder. */
  readonly path: string;
  readonly text: string;
}

export interface ParsedPart extends SourcePart, ParsedSource {}

export interface ParsedSource {
  /** Comments before the imports. */
  readonly head: string;
  readonly statements: readonly Statement[];
  /** The rest of the file, without surrounding blank lines. */
  readonly body: string;
}

/** Sticky, so that it does not search the rest of the text, which may be megabytes long. */
const statement = /(import|export) (type )?(?:(\*(?: as [\w$]+)?)|\{([^}]*)\}) from "([^"\n]+)";\n*/y;

/** A line comment or a block comment. */
const comment = /(?:\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/\n)\n*/y;

export function parsePart(part: SourcePart): ParsedPart {
  return { ...part, ...parseSource(part.text) };
}

export function parseSource(text: string): ParsedSource {
  let at = 0;
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  const [header = ""] = next(/\/\/[^\n]*\n\n*/y) ?? [];
  const beforeComment = at;
  const [block = ""] = next(comment) ?? [];
  const statements: Statement[] = [];
  for (let match = next(statement); match !== null; match = next(statement)) statements.push(read(match));
  // Without imports after it, a comment belongs to the first declaration.
  const isOfFile = statements.length > 0;
  if (!isOfFile) at = beforeComment;
  return { head: (isOfFile ? header + block : header).trimEnd(), statements, body: text.slice(at).trimEnd() };
}

function read([, keyword, type, namespace, names = "", from = ""]: RegExpExecArray): Statement {
  const items = names.split(",").map((item) => item.trim());
  return {
    keyword: keyword === "export" ? "export" : "import",
    isType: type !== undefined,
    namespace,
    names: items.filter((item) => item !== "").map((item) => nameOf(item, type !== undefined)),
    from,
  };
}

/** Parses `type Client as Client2`. */
function nameOf(item: string, isTypeStatement: boolean): ImportedName {
  // Most of the thousands of names that a large client imports.
  if (!item.includes(" ")) return { name: item, local: item, isType: isTypeStatement };
  const words = item.split(" ");
  const isType = words[0] === "type" && words.length > 1 && words[1] !== "as";
  const [name = "", , local = name] = isType ? words.slice(1) : words;
  return { name, local, isType: isType || isTypeStatement };
}
