/**
 * Sorts the keys of all objects in JSON by their UTF-16 code units and removes white space, as RFC 8785 does. Equal
 * requests then have equal URLs, also after fields have been reordered in the schema. Numbers stay as written.
 */
export function canonicalJson(json: string): string {
  const tokens = json.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let at = 0;
  const members = (end: string, member: () => void): void => {
    while (at < tokens.length && tokens[at] !== end) {
      if (tokens[at] === ",") at++;
      else member();
    }
    at++;
  };
  const value = (): string => {
    const token = tokens[at++] ?? "";
    if (token === "[") {
      const items: string[] = [];
      members("]", () => items.push(value()));
      return `[${items.join(",")}]`;
    }
    if (token !== "{") return token;
    const fields: { readonly key: string; readonly text: string }[] = [];
    members("}", () => {
      const name = tokens[at] ?? "";
      at += 2;
      fields.push({ key: JSON.parse(name), text: `${name}:${value()}` });
    });
    fields.sort((a, b) => (a.key < b.key ? -1 : 1));
    return `{${fields.map(({ text }) => text).join(",")}}`;
  };
  return value();
}
