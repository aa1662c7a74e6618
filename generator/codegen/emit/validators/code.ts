import type { ResolvedType } from "../../../language/model/types.ts";
import { pascalCase, withoutEscape } from "../../plan/names.ts";
import { literal } from "../text.ts";

/** Lines of code, two blanks deeper. */
export function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}

/** Longest line that a statement shares with its condition. */
const lineWidth = 100;

/** An `else` stands behind the bracket that it follows. */
export function joinElse(lines: readonly string[]): string[] {
  const joined: string[] = [];
  for (const line of lines) {
    // Few lines have it, and asking costs less than looking at the line before.
    const before = line.includes("else") ? joined.at(-1) : undefined;
    if (before?.trim() === "}" && line.startsWith(`${before.slice(0, -1)}else`)) {
      joined[joined.length - 1] = `${before} ${line.trim()}`;
    } else joined.push(line);
  }
  return joined;
}

/** `if (x) y = 1;` on one line where it is short, else in a block. `head` ends before the statement: `if (x)`, `else`. */
export function branch(head: string, statements: readonly string[]): string[] {
  const [only] = statements;
  if (statements.length === 1 && only !== undefined && head.length + only.length < lineWidth)
    return [`${head} ${only}`];
  return [`${head} {`, ...indent(statements), "}"];
}

/** A regular expression literal. `source` escapes what would end it: `a/b` → `/a\/b/u`. */
export function regexLiteral(pattern: string): string {
  return `/${new RegExp(pattern, "u").source}/u`;
}

/** The field of `value`, safe for names that every object inherits: `value["name"]`, `v.own(value, "constructor")`. */
export function getField(name: string): string {
  return isInherited(name) ? `v.own(value, ${literal(name)})` : `value[${literal(name)}]`;
}

/** The statement that gives a field its value. */
export function setField(name: string, to: string, object = "value"): string {
  return isInherited(name)
    ? `v.set(${object}, ${literal(name)}, ${to});`
    : `${object}[${literal(name)}] = ${to};`;
}

function isInherited(name: string): boolean {
  return name in Object.prototype;
}

/** `!isAddress(x)`, `typeof x !== "string"`, else in brackets. */
export function negated(test: string): string {
  if (/^[\w$.]+\([\w$.]+\)$/.test(test)) return `!${test}`;
  const comparison = /^((?:typeof )?[\w$]+) === ("[a-z]+"|null)$/.exec(test);
  return comparison === null ? `!(${test})` : `${comparison[1]} !== ${comparison[2]}`;
}

/** A name for what has none in the schema: `[]Address` → `AddressList`. */
export function shapeName(type: ResolvedType): string {
  switch (type.kind) {
    case "list":
      return `${shapeName(type.element)}List`;
    case "map":
      return `${shapeName(type.value)}Map`;
    case "unknown":
      return "Any";
    default:
      return pascalCase(withoutEscape(type.name));
  }
}
