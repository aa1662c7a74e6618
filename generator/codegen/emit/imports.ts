import { claimName } from "../plan/names.ts";

/** Collects the imports of a generated file. An import gets another local name if the file declares the same name. */
export class Imports {
  readonly #taken: Set<string>;
  readonly #files = new Map<string, Map<string, Imported>>();

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

  /** Returns the import lines, one per file, sorted: `import { type Client, send as send2 } from "./send.ts";`. */
  lines(): string[] {
    return [...this.#files].sort(byKey).map(([from, names]) => {
      const sorted = [...names].sort(byKey);
      if (sorted.every(([, { isType }]) => isType))
        return line(
          "import type",
          sorted.map(([name, { local }]) => clause(name, local)),
          from,
        );
      const items = sorted.map(
        ([name, { local, isType }]) => `${isType ? "type " : ""}${clause(name, local)}`,
      );
      return line("import", items, from);
    });
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

/** One line if it fits, otherwise one name per line. */
function line(keyword: string, items: readonly string[], from: string): string {
  const short = `${keyword} { ${items.join(", ")} } from ${JSON.stringify(from)};`;
  if (short.length <= 110) return short;
  return `${keyword} {\n${items.map((item) => `  ${item},\n`).join("")}} from ${JSON.stringify(from)};`;
}

function clause(name: string, local: string): string {
  return local === name ? name : `${name} as ${local}`;
}

function byKey(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
}
