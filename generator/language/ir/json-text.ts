/** JSON as the reference tool writes it: keys in the order given, indented by one blank, with the escapes of Go. */

/** What is written. Members that are undefined are left out. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | RawJson
  | readonly JsonValue[]
  | JsonMembers;

export type JsonMembers = { readonly [key: string]: JsonValue };

/** A value that JSON.stringify would write in another way. */
export class RawJson {
  /** Its text where it stands so deep in lists and objects. */
  readonly write: (depth: number) => string;

  constructor(write: (depth: number) => string) {
    this.write = write;
  }

  toJSON(): never {
    throw needsRawJson;
  }
}

const needsRawJson = new Error("JSON.stringify writes this in another way");

/** The text of a value. JSON.stringify writes nearly every value in the same way, in half the time. */
export function jsonText(value: JsonValue): string {
  try {
    return goEscapes(JSON.stringify(value, undefined, 1));
  } catch (err) {
    if (err !== needsRawJson) throw err;
    return print(value, 0);
  }
}

function print(value: JsonValue, depth: number): string {
  if (typeof value === "string") return quoted(value);
  if (value instanceof RawJson) return value.write(depth);
  if (isList(value))
    return block(
      "[",
      value.map((item) => print(item, depth + 1)),
      depth,
    );
  if (typeof value === "object" && value !== null) return printMembers(Object.entries(value), depth);
  return String(value);
}

/** Array.isArray of lists that are not to be changed. */
export function isList<Item, Other>(value: readonly Item[] | Other): value is readonly Item[] {
  return Array.isArray(value);
}

function printMembers(entries: readonly (readonly [string, JsonValue])[], depth: number): string {
  const given = entries.filter(([, value]) => value !== undefined);
  return block(
    "{",
    given.map(([key, value]) => `${quoted(key)}: ${print(value, depth + 1)}`),
    depth,
  );
}

function block(open: "{" | "[", parts: readonly string[], depth: number): string {
  const close = open === "{" ? "}" : "]";
  if (parts.length === 0) return open + close;
  const start = `\n${" ".repeat(depth + 1)}`;
  return `${open}${start}${parts.join(`,${start}`)}\n${" ".repeat(depth)}${close}`;
}

function quoted(value: string): string {
  return goEscapes(JSON.stringify(value));
}

/** Go escapes U+2028 and U+2029 too. */
function goEscapes(json: string): string {
  return json.includes("\u2028") || json.includes("\u2029")
    ? json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")
    : json;
}

/** Members in the order of their keys' bytes, which is how Go writes a map. */
export function membersByKey(members: ReadonlyMap<string, JsonValue>): JsonMembers | RawJson {
  if (members.size < 2) return Object.fromEntries(members);
  const entries = [...members].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  // An object would have keys that are numbers before all others.
  return entries.some(([key]) => /^[0-9]/.test(key))
    ? new RawJson((depth) => printMembers(entries, depth))
    : Object.fromEntries(entries);
}

/** A number as Go writes it. */
export function numberValue(value: number | bigint): number | RawJson {
  if (typeof value === "bigint") return new RawJson(() => String(value));
  return Object.is(value, -0) ? new RawJson(() => "-0") : value;
}

/** Type texts go through Go's %q: what cannot be printed is escaped, and a backslash of a JSON source is doubled. */
export function typeValue(type: string): string | RawJson {
  return plainText.test(type) ? type : new RawJson(() => quotedType(type));
}

/** What every writer of JSON leaves as it is. */
const plainText = /^[ !#-[\]-~]*$/;

function quotedType(type: string): string {
  return quoted(type).replace(/[^\x20-\x7e\p{L}\p{M}\p{N}\p{P}\p{S}]/gu, (character) =>
    // Written as UTF-16 code units, since JSON has no other escapes.
    Array.from({ length: character.length }, (_, at) => unicodeEscape(character.charCodeAt(at))).join(""),
  );
}

function unicodeEscape(codeUnit: number): string {
  return `\\u${codeUnit.toString(16).padStart(4, "0")}`;
}
