import { claimName } from "../plan/names.ts";

/** What one generated file imports. Names that the file itself gives to the world stay; an import that has the same gets another. */
export class Imports {
  readonly #taken: Set<string>;
  readonly #files = new Map<string, Map<string, string>>();

  /** `own`: all that the file declares at its top. */
  constructor(own: Iterable<string>) {
    this.#taken = new Set(own);
  }

  /** The name under which the file may use `name` of another file. Ask as often as needed. */
  value(from: string, name: string): string {
    return this.#local(from, name, "");
  }

  /** The same for what only types need. */
  type(from: string, name: string): string {
    return this.#local(from, name, "type ");
  }

  /** `import { type Client, send as send2 } from "./send.ts";`, an item a file, all sorted. */
  lines(): string[] {
    return [...this.#files].sort(byKey).map(([from, names]) => {
      const items = [...names].sort(byKey).map(([name, local]) => clause(name, local));
      if (!items.every((item) => item.startsWith("type "))) return line("import", items, from);
      const bare = items.map((item) => item.slice("type ".length));
      return line("import type", bare, from);
    });
  }

  #local(from: string, name: string, kind: "" | "type "): string {
    const names = this.#files.get(from) ?? new Map<string, string>();
    this.#files.set(from, names);
    const local = names.get(name)?.replace(/^type /, "") ?? claimName(name, this.#taken);
    if (kind === "" || !names.has(name)) names.set(name, `${kind}${local}`);
    return local;
  }
}

/** On one line if it fits, otherwise a name a line. */
function line(keyword: string, items: readonly string[], from: string): string {
  const short = `${keyword} { ${items.join(", ")} } from ${JSON.stringify(from)};`;
  if (short.length <= 110) return short;
  return `${keyword} {\n${items.map((item) => `  ${item},\n`).join("")}} from ${JSON.stringify(from)};`;
}

function clause(name: string, local: string): string {
  const kind = local.startsWith("type ") ? "type " : "";
  const bare = local.slice(kind.length);
  return bare === name ? `${kind}${name}` : `${kind}${name} as ${bare}`;
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
