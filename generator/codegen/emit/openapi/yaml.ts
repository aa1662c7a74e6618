import type { Json } from "../../plan/json.ts";

/** Writes JSON as YAML 1.2 in block style. Quotes only where necessary, and writes multi-line text as blocks. */
export function writeYaml(value: Json): string {
  return `${block(value, "").replace(/^\n/, "")}\n`;
}

/** Writes a value after `key:` or `-`, starting with its space or line break. */
function block(value: Json, indent: string): string {
  if (typeof value === "string") return ` ${text(value, indent)}`;
  if (typeof value !== "object" || value === null) return ` ${JSON.stringify(value)}`;
  if (Array.isArray(value)) {
    if (value.length === 0) return " []";
    return (value as readonly Json[]).map((item) => `\n${indent}-${entry(item, `${indent}  `)}`).join("");
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return " {}";
  return entries.map(([key, item]) => `\n${indent}${scalar(key)}:${block(item, `${indent}  `)}`).join("");
}

/** Writes a list item. The first key of an object is on the line of the dash. */
function entry(item: Json, indent: string): string {
  return block(item, indent).replace(/^\n */, " ");
}

function text(value: string, indent: string): string {
  if (!value.includes("\n") || !value.split("\n").every(isPlainLine) || /^\n|\n$/.test(value))
    return scalar(value);
  return `|-\n${value.replace(/^(?=.)/gm, indent || "  ")}`;
}

/**
 * Whether a line can be part of a block: no spaces at its ends, which readers treat differently, and no unprintable
 * characters.
 */
function isPlainLine(line: string): boolean {
  return line === line.trim() && !unprintable.test(line);
}

const unprintable = /[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/;

/** Writes text on one line, quoted as in JSON if its meaning would be ambiguous. */
function scalar(value: string): string {
  if (/^[A-Za-z$_/][\w$/.-]*$/.test(value) && !reservedWords.has(value.toLowerCase())) return value;
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Words with a meaning in YAML 1.1 or 1.2. */
const reservedWords: ReadonlySet<string> = new Set("true false null yes no on off y n nan inf".split(" "));
