/** Entity tags, as RFC 9110 defines them: texts that identify a version of a response. */

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
