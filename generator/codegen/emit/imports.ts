import type { ImportExtension } from "../options.ts";
import { claimName } from "../plan/names.ts";

/** Collects the imports or exports of a generated file. An import gets another local name if the file declares the same name. */
export class Imports {
  readonly #taken: Set<string>;
  readonly #files = new Map<string, Map<string, Imported>>();
  readonly #namespaces = new Map<string, Imported>();

  /** `own`: all names that the file declares at module level. */
  constructor(own: Iterable<string>) {
    this.#taken = new Set(own);
  }

  /** Imports a value and returns its local name. Repeated calls return the same name. */
  value(from: string, name: string): string {
    const imported = this.#imported(from, name);
    imported.isType = false;
    return imported.local;
  }

  /** Imports a type and returns its local name. */
  type(from: string, name: string): string {
    return this.#imported(from, name).local;
  }

  /** Imports the types of a whole file, and returns one of them: `types.Pet`. */
  member(from: string, wanted: string, name: string): string {
    return `${this.#namespace(from, wanted).local}.${name}`;
  }

  /** Imports a whole file, and returns one of its values. */
  valueMember(from: string, wanted: string, name: string): string {
    const imported = this.#namespace(from, wanted);
    imported.isType = false;
    return `${imported.local}.${name}`;
  }

  /**
   * Returns one line for each file, packages first: `import { type Client, send as send2 } from "./send.ts";`.
   */
  lines(keyword: "import" | "export" = "import"): string[] {
    const named = [...this.#files].map(([from, names]) => [from, namedLine(keyword, names, from)] as const);
    const namespaces = [...this.#namespaces].map(
      ([from, { local, isType }]) =>
        [from, `import ${isType ? "type " : ""}* as ${local} from ${JSON.stringify(from)};`] as const,
    );
    return [...namespaces, ...named]
      .sort(([a], [b]) => Number(a.startsWith(".")) - Number(b.startsWith(".")) || order(a, b))
      .map(([, line]) => line);
  }

  #namespace(from: string, wanted: string): Imported {
    const namespace = this.#namespaces.get(from) ?? { local: claimName(wanted, this.#taken), isType: true };
    this.#namespaces.set(from, namespace);
    return namespace;
  }

  /** A type import, until `value` is called for it. */
  #imported(from: string, name: string): Imported {
    const names = this.#files.get(from) ?? new Map<string, Imported>();
    this.#files.set(from, names);
    const imported = names.get(name) ?? { local: claimName(name, this.#taken), isType: true };
    names.set(name, imported);
    return imported;
  }
}

interface Imported {
  readonly local: string;
  isType: boolean;
}

/**
 * Part of each file that users import, so that code and runtime of different contract versions do not compile, bundle or
 * load. A statement, because bundlers ignore an unused import or export of TypeScript: it may be a type. They drop the
 * statement.
 */
export const contractCheck = `import { generatedCodeV1 } from "ridlkit-runtime/contract";
void generatedCodeV1; // Fails with another version of the runtime.`;

/** One line if it fits, otherwise one name per line. */
export function importLine(keyword: string, items: readonly string[], from: string): string {
  const short = `${keyword} { ${items.join(", ")} } from ${JSON.stringify(from)};`;
  if (short.length <= 110) return short;
  return `${keyword} {\n${items.map((item) => `  ${item},\n`).join("")}} from ${JSON.stringify(from)};`;
}

function clause(name: string, local: string): string {
  return local === name ? name : `${name} as ${local}`;
}

function namedLine(keyword: string, names: ReadonlyMap<string, Imported>, from: string): string {
  const sorted = [...names].sort(([a], [b]) => order(a.toLowerCase(), b.toLowerCase()));
  const areTypes = sorted.every(([, { isType }]) => isType);
  const items = sorted.map(
    ([name, { local, isType }]) => `${isType && !areTypes ? "type " : ""}${clause(name, local)}`,
  );
  return importLine(areTypes ? `${keyword} type` : keyword, items, from);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Matches imports and exports of other generated files. Lines of schema comments start with an asterisk, so they do not
 * match.
 */
const relativeImport = /^((?:import|export|\}) ?(?:[^"\n]* )?from |.*\bimport\()"(\.\.?\/[^"\n]+)\.ts"/gm;

/** Rewrites the relative imports of a generated file. */
export function withImportExtension(text: string, extension: ImportExtension): string {
  if (extension === ".ts") return text;
  return text.replace(relativeImport, `$1"$2${suffixOf(extension)}"`);
}

/** `import … from "x"` and `export … from "x"`, whose clause may have several lines. Starts a line, as no comment does. */
const statement = /^((?:import|export) (type )?[^"{};\n]*(?:\{[^}]*\})? ?from )"([^"\n]+)"/gm;

/** The modules that a file imports or exports from. */
export function importsIn(text: string): readonly { readonly from: string; readonly isType: boolean }[] {
  return Array.from(text.matchAll(statement), ([, , type, from = ""]) => ({
    from,
    isType: type !== undefined,
  }));
}

/** Replaces the modules that a file imports or exports from. */
export function withImports(text: string, replace: (from: string) => string): string {
  return text.replace(
    statement,
    (_all, clause: string, _type, from: string) => `${clause}"${replace(from)}"`,
  );
}

/** Returns `".js"`; an empty string for `"none"`. */
export function suffixOf(extension: ImportExtension): string {
  return extension === "none" ? "" : extension;
}
