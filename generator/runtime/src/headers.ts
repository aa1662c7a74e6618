/** The headers of a request. */

/** HTTP headers by name. Those that are undefined are not sent. */
export type HeaderValues = Readonly<Record<string, string | undefined>>;

/**
 * Joins headers. Later ones replace earlier ones of the same name, in any case; undefined and null remove them. The names
 * become lower case.
 *
 * @throws TypeError if a value contains characters that HTTP does not allow. The message does not contain it, because it may
 * be a secret.
 */
export function joinHeaders(...parts: readonly (HeaderValues | undefined)[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const part of parts)
    for (const key in part) {
      const name = key.toLowerCase();
      const value = `${part[key] ?? ""}`.trim();
      if (/[^\t -~\x80-\xff]/.test(value)) throw new TypeError(`headers: invalid "${name}"`);
      headers[name] = value;
      if (part[key] == null) Reflect.deleteProperty(headers, name);
    }
  return headers;
}

/* The header Content-Disposition (RFC 6266). */

/**
 * A parameter: `; name=token` or `; name="text with \" and \\"`. Values without quotes may contain everything but ";",
 * because many servers send such names.
 */
const parameter = /[ \t]*;[ \t]*(?:([^\s";=]+)[ \t]*(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^";][^;]*))?)?)?/y;

/** `UTF-8'en'%C3%A4.png` (RFC 8187). */
const extendedValue = /^(utf-8|iso-8859-1)'[^']*'((?:%[\da-f]{2}|[\w!#$&+\-.^`|~])*)$/i;

/**
 * Returns the file name of `attachment; filename="a.png"; filename*=UTF-8''%C3%A4.png`. The last form takes precedence, and
 * the first of two equal parameters. Undefined if there is no name.
 */
export function fileNameIn(header: string): string | undefined {
  let plain: string | undefined;
  let extended: string | undefined;
  // The type is read like a parameter without a value, because some servers omit it.
  const text = `;${header}`;
  const reader = new RegExp(parameter);
  for (let found = reader.exec(text); found !== null; found = reader.exec(text)) {
    const [, name = "", quoted, unquoted] = found;
    const value = quoted?.replace(/\\(.)/g, "$1") ?? unquoted?.trim();
    if (/^filename$/i.test(name)) plain ??= value;
    if (/^filename\*$/i.test(name)) extended ??= decode(unquoted?.trim() ?? "");
  }
  return extended || plain || undefined;
}

/** Undefined for other charsets and invalid bytes. */
function decode(value: string): string | undefined {
  const [, charset = "", text = ""] = extendedValue.exec(value) ?? [];
  try {
    return /^u/i.test(charset)
      ? decodeURIComponent(text)
      : text.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  } catch {
    return undefined;
  }
}

/** Returns the schema that a header `Webrpc` names, here shop: `webrpc@v0.44.0;shop@v1.0.0`. Missing parts are empty text. */
export function schemaIn(header: string): { readonly name: string; readonly version: string } {
  const schema = header.slice(header.lastIndexOf(";") + 1).trim();
  const end = schema.indexOf("@");
  return end === -1
    ? { name: schema, version: "" }
    : { name: schema.slice(0, end), version: schema.slice(end + 1) };
}

/* Entity tags, as RFC 9110 defines them: texts that identify a version of a response. */

/**
 * Returns the tag of a state: `v7` → `"v7"`. Characters that a tag cannot hold become their code point, such as `%20;`,
 * so that different states have different tags.
 */
export function tagOfState(state: string): string {
  const text = state.replace(/[^\x21\x23\x24\x26-\x2b\x2d-\x7e]/gu, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    return `%${code.toString(16)};`;
  });
  return `"${text}"`;
}

/** Returns a tag that changes with the content: 128 bits of its SHA-256. */
export async function tagOfContent(content: string | Uint8Array): Promise<string> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `"${btoa(String.fromCharCode(...hash.subarray(0, 16))).replace("==", "")}"`;
}

/**
 * Whether `If-None-Match` lists a tag. Weak tags match, too: the content means the same. `*` also matches a response
 * without a tag.
 */
export function listsTag(field: string, tag: string | undefined): boolean {
  return field.trim() === "*" || tagsIn(field).some((listed) => listed.replace(/^W\//, "") === tag);
}

/** Whether `If-Match` lists a tag. Weak tags never match: they may stand for other bytes. */
export function listsStrongTag(field: string, tag: string): boolean {
  return field.trim() === "*" || tagsIn(field).includes(tag);
}

function tagsIn(field: string): readonly string[] {
  return field.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? [];
}
