import type { Random } from "../support/random.ts";

/** Writes a part of a schema as people do who are used to another language. */
export type Habit = (text: string, random: Random) => string;

/** Replaces some of the matches: each with an even chance, so that a file mixes both ways to write. */
function some(pattern: RegExp, replacement: string): Habit {
  return (text, random) =>
    text.replace(pattern, (match: string) =>
      random.chance(50) ? match.replace(new RegExp(pattern.source, pattern.flags), replacement) : match,
    );
}

function all(pattern: RegExp, replacement: string): Habit {
  return (text) => text.replace(pattern, replacement);
}

/** One replacement of a random match. */
function one(pattern: RegExp, replacement: string): Habit {
  return (text, random) => {
    const found = [...text.matchAll(pattern)];
    if (found.length === 0) return text;
    const { index, 0: match } = random.pick(found);
    const changed = match.replace(new RegExp(pattern.source, pattern.flags), replacement);
    return text.slice(0, index) + changed + text.slice(index + match.length);
  };
}

function inOrder(...habits: readonly Habit[]): Habit {
  return (text, random) => habits.reduce((changed, habit) => habit(changed, random), text);
}

const structs = /^struct (\w+)((?:\n(?:[ \t]+.*)?)*)/gm;
const fields = /^( +)- (\w+)(\??): (\S+)/gm;
const methods = /^( +)- (\w+)\((.*?)\)(?: => \((.*?)\))?/gm;

export const ridlHabits: readonly Habit[] = [
  // TypeScript
  inOrder(all(structs, "interface $1 {$2\n}\n"), some(fields, "$1$2$3: $4;")),
  inOrder(all(structs, "export type $1 = {$2\n}\n"), some(fields, "$1$2$3: $4,")),
  some(/\[\](\w+)/g, "$1[]"),
  some(/\[\](\w+)/g, "Array<$1>"),
  some(/map<(\w+),(\w+)>/g, "Record<$1, $2>"),
  some(/\b(string|bool)\b/g, "String"),
  some(/\bu?int\d*\b/g, "number"),
  some(/ => \(/g, ": ("),
  some(/ => \(/g, ": Promise<("),
  some(/#/g, "//"),
  some(/# ?(.*)$/gm, "/** $1 */"),
  one(fields, "$1- $2: { id: string }"),
  one(fields, "$1$2: {\n$1  $2: $4\n$1}"),
  one(fields, "$1- $2: string | null"),
  one(fields, '$1- $2: "a" | "b"'),
  one(/^enum (\w+).*/gm, "export enum $1 {"),
  one(methods, "$1- $2(\n$1  $3,\n$1) => ($4)"),
  one(methods, "$1- async $2($3): ($4)"),
  some(/^import\b/gm, "import * from"),
  // Go
  inOrder(all(structs, "type $1 struct {$2\n}\n"), some(fields, "$1$2 $4")),
  some(/map<(\w+),(\w+)>/g, "map[$1]$2"),
  one(fields, "$1- $2: *$4"),
  one(fields, '$1- $2 $4 `json:"$2"`'),
  one(fields, "$1- $2: [16]byte"),
  one(fields, "$1- $2: interface{}"),
  some(methods, "$1- $2($3) ($4)"),
  one(/^struct/gm, "type"),
  // Protocol Buffers
  inOrder(all(structs, "message $1 {$2\n}\n"), some(fields, "$1$4 $2 = 1;")),
  some(fields, "$1optional $4 $2 = 3;"),
  some(fields, "$1repeated string $2 = 2;"),
  some(methods, "$1rpc $2($3) returns ($4);"),
  one(/^service (\w+)/gm, "service $1 {"),
  one(/^webrpc.*/gm, 'syntax = "proto3";'),
  one(/^enum (\w+): \w+/gm, "enum $1 {"),
  some(/\[\]byte/g, "bytes"),
  one(fields, "$1oneof $2 {\n$1  string a = 1;\n$1}"),
  // GraphQL
  inOrder(all(structs, "type $1 {$2\n}\n"), some(fields, "$1$2: $4!")),
  one(methods, "$1$2($3): $4!"),
  one(fields, "$1$2: [String!]!"),
  one(/^struct/gm, "input"),
  one(/^enum (\w+): \w+/gm, "union $1 = A | B"),
  // Rust
  inOrder(all(structs, "pub struct $1 {$2\n}\n"), some(fields, "$1pub $2: $4,")),
  some(/\[\](\w+)/g, "Vec<$1>"),
  one(fields, "$1- $2: Option<$4>"),
  some(/ => \(/g, " -> ("),
  some(/\bint64\b/g, "i64"),
  some(/\bstring\b/g, "str"),
  // OpenAPI
  one(fields, '$1- $2: { type: "string" }'),
  one(fields, "$1$2:\n$1  type: string"),
  one(methods, "$1$2:\n$1  get: /$2"),
  one(/^( +)(GET|POST|PUT|PATCH|DELETE) /gm, "$1get "),
  one(/^( +)(GET|POST|PUT|PATCH|DELETE) /gm, "$1FETCH "),
  one(/^( +)(GET|POST|PUT|PATCH|DELETE) (\S+)/gm, '$1$2 "$3"'),
  one(/^( +)path = /gm, "$1path "),
  // Signs, names and places
  some(/$/gm, ";"),
  some(/(\w)$/gm, "$1,"),
  some(/^( +)- /gm, "$1"),
  some(/^( +)- /gm, "$1* "),
  some(/^( +)\+ /gm, "$1"),
  some(/ = /g, ": "),
  some(/: /g, " = "),
  some(/:/g, ""),
  some(/ => /g, " "),
  some(/ => /g, " stream => "),
  some(/\)/g, ""),
  some(/>/g, ""),
  some(/"$/gm, ""),
  some(/"/g, "'"),
  some(/ \| /g, ", "),
  some(/ \| /g, "|"),
  some(/\berrors\b/g, "throws"),
  some(/\berrors\b/g, "error"),
  some(/\bHTTP (\d+)/g, "$1"),
  some(/\bHTTP\b/g, "http"),
  some(/(@\w+):"([^"]*)"/g, "$1:$2"),
  one(methods, "$1- $2($3) => (User)"),
  one(methods, "$1- $2(): (User)"),
  one(methods, "$1- $2(User)=>(User)"),
  one(methods, "$1- $2(User)=> => (User)"),
  one(methods, "$1- $2(User)returns(User)"),
  one(methods, "$1- $2(stream User) => (const User)"),
  one(methods, "$1- $2(repeated User, $3) => (optional string)"),
  one(methods, "$1- $2($3) => ($4) foo"),
  one(/^(version.*)$/gm, "$1 # the version"),
  all(/^basepath.*\n/gm, ""),
  all(/^webrpc.*\n/gm, ""),
  one(/^(import )?.*?([\w-]+)\.ridl"?$/gm, '$1"types.ridl"'),
];

const entry = /^( +)(\w+)(\??): (\S.*)$/gm;

export const yamlHabits: readonly Habit[] = [
  one(/^( +)(\w+):\n( +)fields:/gm, "$1$2:\n$3type: object\n$3fields:"),
  one(/fields:/g, "properties:"),
  one(entry, "$1$2$3: { type: $4, min: 3 }"),
  one(entry, "$1$2$3: { $$ref: $4 }"),
  one(entry, "$1$2$3:$4"),
  one(entry, "$1$2$3 = $4"),
  one(entry, "$1- $2$3: $4"),
  one(entry, "$1$2$3 $4"),
  one(entry, "$1$2$3: $4,"),
  one(entry, ' $1"$2$3": $4'),
  one(entry, "\t$2$3: $4"),
  one(/\w+: uint64/g, "id: Uint64"),
  some(/\b(string|bool)\b/g, "String"),
  some(/\bu?int\d*\b/g, "number"),
  some(/"/g, ""),
  some(/ #/g, "#"),
  one(/(\w+)\[\]/g, "[]$1"),
  one(/(\w+)\[\]/g, "[$1]"),
  one(/methods:/g, "Methods:"),
  one(/ {2}methods:\n/g, ""),
  one(/errors:/g, "error:"),
];

/** Habits of editors and systems, for both formats. */
export const fileHabits: readonly Habit[] = [
  all(/\n/g, "\r\n"),
  (text) => `\uFEFF${text}`,
  all(/^ {2,}/gm, "\t"),
  some(/^ {2}/gm, "\t"),
  some(/$/gm, " "),
  some(/$/gm, " # note"),
  some(/^/gm, "# note\n"),
  some(/\n/g, "\n\n"),
  (text) => text.trimEnd(),
  (text) => `${text}\0`,
  one(/\b[a-z]\w*/g, "Xyz"),
  (text, random) => recased(text, random, (word) => word.toUpperCase()),
  (text, random) => recased(text, random, (word) => word.charAt(0).toUpperCase() + word.slice(1)),
  (text, random) => recased(text, random, (word) => word.toLowerCase()),
  (text, random) => recased(text, random, (word) => word.slice(0, -1)),
  (text, random) => recased(text, random, (word) => word.charAt(1) + word.charAt(0) + word.slice(2)),
];

/** Changes some words everywhere, or one of them once. */
function recased(text: string, random: Random, change: (word: string) => string): string {
  const words = text.match(/[A-Za-z_]\w+/g) ?? [];
  if (words.length === 0) return text;
  const chosen = random.pick(words);
  const pattern = new RegExp(`\\b${chosen}\\b`, random.chance(50) ? "g" : "");
  return text.replace(pattern, change);
}
