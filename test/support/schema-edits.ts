/** A schema of one method, and edits of it: each adds a feature of the language. */
export const oneMethod: string = `webrpc = v1
name = shop
version = v1
basepath = /rpc

struct Item
  - id: uint64
  - name: string

service Shop
  - Find(id: uint64) => (item: Item)
`;

/** The line before which annotations of the method stand. */
const method = "  - Find(id: uint64) => (item: Item)\n";
const field = "  - name: string\n";
const service = "service Shop\n";

/** The edits that users make first. */
export const firstEdits: Readonly<Record<string, string>> = {
  "a read for caches": before(method, '  @readonly @cache:"60s"\n'),
  "a stream": after(method, "  - Watch() => stream (item: Item)\n"),
  "a timestamp": after(field, "  - at: timestamp\n"),
  "an upload": after(method, "  - Store(picture: file)\n"),
};

/** An edit for each feature that needs code of the runtime. */
export const allEdits: Readonly<Record<string, string>> = {
  ...firstEdits,
  "a download": after(method, "  - Picture(id: uint64) => (picture: file)\n"),
  "a cached download": after(
    method,
    '  @readonly @cache:"60s"\n  - Picture(id: uint64) => (picture: file)\n',
  ),
  "a route": after(method, "    GET /items/{id}\n"),
  "an idempotency key": before(method, "  @idempotencyKey\n"),
  "a list in pages": after(
    method,
    '  @readonly @paging:"limit,cursor,next,items"\n  - List(limit: uint32, cursor?: string) => (items: []Item, next?: string)\n',
  ),
  "a stream that continues": before(
    service,
    'error 1 Gap "items are missing" HTTP 410\n\n',
    after(method, '  @resume:"after,id,Gap"\n  - Watch(after?: string) => stream (id: string) errors Gap\n'),
  ),
  "a deprecated method": before(method, '  @deprecated:"use Get"\n'),
  "an error": before(service, 'error 1 Gone "gone" HTTP 410\n\n'),
  "an enum": before(service, "enum Kind: uint8\n  - CAT\n  - DOG\n\n", after(field, "  - kind: Kind\n")),
  "a map": after(field, "  - counts: map<string,uint64>\n"),
  "any value": after(field, "  - extra: any\n"),
  "a bigint": after(field, "  - wei: bigint\n"),
  "a limit": after(field, "    + maxLength = 5\n"),
  "a format": after(field, "    + format = email\n"),
  "a secret": after(field, "    + secret = true\n"),
  "a default": after(field, "    + default = pen\n"),
  "a second name in requests": after(field, "    + alias = title\n"),
  "other types in requests": after(field, "    + accepts = string,integer\n"),
  "a text in lower case": after(field, "    + normalize = lowercase\n"),
  "a field that may be null": after(field, "    + nullable = always\n"),
  "another name in JSON": after(field, "    + json = title\n"),
  "a service": `${oneMethod}\nservice Stock\n  - Count() => (count: uint64)\n`,
};

function before(line: string, text: string, schema: string = oneMethod): string {
  return schema.replace(line, () => text + line);
}

function after(line: string, text: string, schema: string = oneMethod): string {
  return schema.replace(line, () => line + text);
}
