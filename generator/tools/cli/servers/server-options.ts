/** Parses an HTTP address, and removes trailing slashes. Returns undefined for other texts. */
export function readAddress(text: string): string | undefined {
  try {
    const { protocol, href } = new URL(text);
    return /^https?:$/.test(protocol) ? href.replace(/\/+$/, "") : undefined;
  } catch {
    return undefined;
  }
}

/** The message for an invalid address. `where`: the option or setting that contains it. */
export function addressMessage(where: string, found: string): string {
  const completed = `http://${found.replace(/^\w*:?\/\//, "")}`;
  const example = readAddress(completed) === undefined ? "http://localhost:3000" : completed;
  return `${where} takes a URL such as ${example}; found "${found}".`;
}

/** Parses headers such as `X-Key: k`. Returns undefined if one has no name or no value. */
export function readHeaders(texts: readonly string[]): Readonly<Record<string, string>> | undefined {
  const headers = texts.map((text) => /^([^:\s]+):\s*(.+)$/.exec(text));
  if (headers.includes(null)) return undefined;
  return Object.fromEntries(headers.map((header) => [header?.[1] ?? "", header?.[2] ?? ""]));
}
