import type { Json } from "../../plan/json.ts";

/** JSON as YAML 1.2 in block style: quoted only where it must be, texts of several lines as they read. */
export function writeYaml(value: Json): string {
  return `${block(value, "").replace(/^\n/, "")}\n`;
}

/** What stands behind `key:` or `-`, its blank or line break first. */
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

/** The first key of an object stands on the line of its dash. */
function entry(item: Json, indent: string): string {
  return block(item, indent).replace(/^\n */, " ");
}

function text(value: string, indent: string): string {
  if (!value.includes("\n") || !value.split("\n").every(isPlainLine) || /^\n|\n$/.test(value))
    return scalar(value);
  return `|-\n${value.replace(/^(?=.)/gm, indent || "  ")}`;
}

/** No blanks at its ends, which a block would keep for some readers and not for others, and nothing that cannot be printed. */
function isPlainLine(line: string): boolean {
  return line === line.trim() && !unprintable.test(line);
}

const unprintable = /[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/;

/** Text on one line: bare if nobody can take it for something else, otherwise quoted as in JSON. */
function scalar(value: string): string {
  if (/^[A-Za-z$_/][\w$/.-]*$/.test(value) && !otherMeanings.has(value.toLowerCase())) return value;
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** In YAML 1.1 or 1.2. */
const otherMeanings: ReadonlySet<string> = new Set("true false null yes no on off y n nan inf".split(" "));
