/** The imports of a generated file, or of a source of the runtime. All stand at its top, where our own printers and formatter put them. */

/** `import { type A, b as c } from "./x.ts";` and the same with `export`. */
export interface Statement {
  readonly keyword: "import" | "export";
  /** Of the whole statement: `import type`. */
  readonly isType: boolean;
  /** `"*"` of `export * from`, `"* as v"`, or undefined: names. */
  readonly namespace: string | undefined;
  readonly names: readonly ImportedName[];
  readonly from: string;
}

export interface ImportedName {
  readonly name: string;
  /** What the file itself calls it. */
  readonly local: string;
  readonly isType: boolean;
}

export interface ParsedSource {
  /** Comments before the imports. */
  readonly head: string;
  readonly statements: readonly Statement[];
  /** All that follows, without blank lines around it. */
  readonly body: string;
}

/** Sticky: reads one statement after the other without looking at the rest of a text, which may be megabytes. */
const statement = /(import|export) (type )?(?:(\*(?: as [\w$]+)?)|\{([^}]*)\}) from "([^"\n]+)";\n*/y;

/** A comment, a line of it or a block. */
const comment = /(?:\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/\n)\n*/y;

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
  // A comment without imports after it is that of the first declaration.
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

/** `type Client as Client2`. */
function nameOf(item: string, isTypeStatement: boolean): ImportedName {
  const words = item.split(" ");
  const isType = words[0] === "type" && words.length > 1 && words[1] !== "as";
  const [name = "", , local = name] = isType ? words.slice(1) : words;
  return { name, local, isType: isType || isTypeStatement };
}
