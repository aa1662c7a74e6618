import { posix } from "node:path";
import { type ImportedName, partsOf, type Statement } from "./statements.ts";

/** A file as an emitter printed it, or a source of the runtime. */
export interface Part {
  /** Relative to the output folder. */
  readonly path: string;
  readonly text: string;
}

/** The path that a part is written to; parts with the same one become one file. */
export type PathOf = (path: string) => string;

/**
 * Several parts as one file: their imports from elsewhere merged, those of each other left out, their code one after the other. What
 * parts of one file declare has different names; `twiceDeclared` says where not.
 */
export function joinedFile(path: string, parts: readonly Part[], pathOf: PathOf): string {
  const read = parts.map((part) => ({ from: part.path, ...partsOf(part.text) }));
  const imports = new Statements();
  const exports = new Statements();
  for (const { from, statements } of read)
    for (const statement of statements) {
      const target = targetOf(statement.from, from, path, pathOf);
      if (target === undefined) continue;
      (statement.keyword === "import" ? imports : exports).add(statement, target);
    }
  const heads = read.map(({ head, body }) => ({ head, body }));
  const [first = ""] = heads.map(({ head }) => head);
  const isGenerated = first.startsWith("//");
  const top = [
    ...(isGenerated ? [first] : []),
    ...imports.lines("import"),
    ...(exports.isEmpty ? [] : ["", ...exports.lines("export")]),
  ];
  const bodies = heads.map(({ head, body }) => (isGenerated ? body : sourceText(head, body)));
  return `${[top.join("\n").trim(), ...bodies].filter((text) => text !== "").join("\n\n")}\n`;
}

/** What a source says of itself stays above its code, apart from the first declaration. */
function sourceText(head: string, body: string): string {
  return head === "" ? body : `${head.replace("/**", "/*")}\n\n${body}`;
}

/** Undefined: a part of the same file. Packages stay as they are. */
function targetOf(specifier: string, from: string, path: string, pathOf: PathOf): string | undefined {
  if (!specifier.startsWith(".")) return specifier;
  const target = pathOf(posix.join(posix.dirname(from), specifier));
  if (target === path) return undefined;
  const relative = posix.relative(posix.dirname(path), target);
  return relative.startsWith(".") ? relative : `./${relative}`;
}

/** The imports or exports of a file, a line for each module. */
class Statements {
  readonly #named = new Map<string, Map<string, ImportedName>>();
  /** Whole lines: of namespaces. */
  readonly #whole = new Map<string, string>();

  get isEmpty(): boolean {
    return this.#named.size === 0 && this.#whole.size === 0;
  }

  add({ keyword, isType, namespace, names }: Statement, from: string): void {
    if (namespace !== undefined) {
      const text = `${keyword} ${isType ? "type " : ""}${namespace} from ${JSON.stringify(from)};`;
      this.#whole.set(text, from);
      return;
    }
    const all = this.#named.get(from) ?? new Map<string, ImportedName>();
    this.#named.set(from, all);
    for (const name of names) {
      const known = all.get(name.local);
      all.set(name.local, { ...name, isType: name.isType && known?.isType !== false });
    }
  }

  lines(keyword: Statement["keyword"]): string[] {
    const named = [...this.#named].map(([from, names]) => [from, namedLine(keyword, names, from)] as const);
    const whole = [...this.#whole].map(([text, from]) => [from, text] as const);
    return [...whole, ...named]
      .sort(([a], [b]) => order(rank(a), rank(b)) || order(a, b))
      .map(([, text]) => text);
  }
}

function namedLine(keyword: string, all: ReadonlyMap<string, ImportedName>, from: string): string {
  const names = [...all.values()].sort((a, b) => order(a.name.toLowerCase(), b.name.toLowerCase()));
  if (names.every(({ isType }) => isType)) return line(`${keyword} type`, names.map(clause), from);
  return line(
    keyword,
    names.map((name) => `${name.isType ? "type " : ""}${clause(name)}`),
    from,
  );
}

function clause({ name, local }: ImportedName): string {
  return local === name ? name : `${name} as ${local}`;
}

/** On one line if it fits, otherwise a name a line. */
export function line(keyword: string, items: readonly string[], from: string): string {
  const short = `${keyword} { ${items.join(", ")} } from ${JSON.stringify(from)};`;
  if (short.length <= 110) return short;
  return `${keyword} {\n${items.map((item) => `  ${item},\n`).join("")}} from ${JSON.stringify(from)};`;
}

/** Modules of Node, packages, files. */
function rank(from: string): number {
  return from.startsWith("node:") ? 0 : from.startsWith(".") ? 2 : 1;
}

function order<Value extends string | number>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
