import type { ResolvedType } from "../../../language/model/types.ts";
import { pascalCase, withoutEscape } from "../../plan/names.ts";
import { literal } from "../text.ts";

/** Indents lines by two spaces. */
export function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}

/** Longest line with both a condition and its statement. */
const lineWidth = 100;

/** Moves each `else` to the line of the preceding brace. */
export function joinElse(lines: readonly string[]): string[] {
  const joined: string[] = [];
  for (const line of lines) {
    // Few lines contain `else`, and this test is cheaper than looking at the line before.
    const before = line.includes("else") ? joined.at(-1) : undefined;
    if (before?.trim() === "}" && line.startsWith(`${before.slice(0, -1)}else`)) {
      joined[joined.length - 1] = `${before} ${line.trim()}`;
    } else joined.push(line);
  }
  return joined;
}

/**
 * Prints `if (x) y = 1;` on one line if it is short, otherwise as a block. `head` is the part before the statement:
 * `if (x)`, `else`.
 */
export function branch(head: string, statements: readonly string[]): string[] {
  const [only] = statements;
  if (statements.length === 1 && only !== undefined && head.length + only.length < lineWidth)
    return [`${head} ${only}`];
  return [`${head} {`, ...indent(statements), "}"];
}

/** Prints a regular expression literal. `source` escapes slashes: `a/b` → `/a\/b/u`. */
export function regexLiteral(pattern: string): string {
  return `/${new RegExp(pattern, "u").source}/u`;
}

/** Reads a field of `value`. Inherited names need a function: `value["name"]`, `v.own(value, "constructor")`. */
export function getField(name: string): string {
  return isInherited(name) ? `v.own(value, ${literal(name)})` : `value[${literal(name)}]`;
}

/** Prints the assignment of a field. */
export function setField(name: string, to: string, object = "value"): string {
  return isInherited(name)
    ? `v.set(${object}, ${literal(name)}, ${to});`
    : `${object}[${literal(name)}] = ${to};`;
}

function isInherited(name: string): boolean {
  return name in Object.prototype;
}

/** Negates an expression: `!isAddress(x)`, `typeof x !== "string"`, otherwise with brackets. */
export function negated(test: string): string {
  if (/^[\w$.]+\([\w$.]+\)$/.test(test)) return `!${test}`;
  const comparison = /^((?:typeof )?[\w$]+) === ("[a-z]+"|null)$/.exec(test);
  return comparison === null ? `!(${test})` : `${comparison[1]} !== ${comparison[2]}`;
}

/** Returns a name for a type without one: `[]Address` → `AddressList`. */
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
