import { claimName } from "../plan/names.ts";

/** What one generated file imports. Names that the file itself gives to the world stay; an import that has the same gets another. */
export class Imports {
  readonly #taken: Set<string>;
  readonly #files = new Map<string, Map<string, Imported>>();

  /** `own`: all that the file declares at its top. */
  constructor(own: Iterable<string>) {
    this.#taken = new Set(own);
  }

  /** The name under which the file may use `name` of another file. Ask as often as needed. */
  value(from: string, name: string): string {
    const imported = this.#imported(from, name);
    imported.isType = false;
    return imported.local;
  }

  /** The same for what only types need. */
  type(from: string, name: string): string {
    return this.#imported(from, name).local;
  }

  /** `import { type Client, send as send2 } from "./send.ts";`, an item a file, all sorted. */
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

  /** For types only, as long as nobody asks for its value. */
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

/** On one line if it fits, otherwise a name a line. */
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
