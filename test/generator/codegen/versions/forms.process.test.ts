import { beforeAll, expect, test } from "vitest";
import { type LoadedContract, loadInMemory } from "../../../../generator/verify/in-memory/load.ts";
import { contractOf, transportTo } from "../../../support/versions.ts";

const before = `webrpc = v1
name = Library
version = v1.0.0
basepath = /rpc

struct Book
  - id: uint64
  - pages: int32
  - printed: timestamp

error 1 Stale "stale" HTTP 412
error 2 Missing "missing" HTTP 404

service Library
  path = /books

  - Get(id: uint64, lang?: string) => (book: Book) errors Missing
      GET /{id}
  @readonly
  @cache:60s
  - List(tag?: string) => (books: []Book)
  - Rename(id: uint64, title: string) => (ok: bool) errors Stale
  @idempotencyKey
  - Add(book: Book) => (id: uint64)
  - Cover(id: uint64, picture: file) => (bytes: uint32)
  - Download(id: uint64) => (picture: file)
`;

const now = `webrpc = v1
name = Library
version = v2.0.0
basepath = /api

struct Book
  - id: uint64
  - length: int64
    + renamedFrom = pages
  - printed: timestamp
  - sold: timestamp
    + default = 2020-01-01T00:00:00Z
  - copies: int64
    + default = 1

error 1 Changed "changed" HTTP 412
error 2 Missing "missing" HTTP 404

service Library
  path = /library

  - Get(isbn: uint64, lang?: string) => (book: Book) errors Missing
      GET /{isbn}
  @readonly
  @deprecated:"2026-01-01"
  @cache:30s
  - List(tag?: string) => (books: []Book)
  - Rename(id: uint64, title: string) => (ok: bool) errors Changed
  @idempotencyKey
  - Add(book: Book) => (id: uint64)
  - Cover(id: uint64, picture: file, note?: string) => (bytes: uint32)
  - Download(id: uint64) => (picture: file)
`;

interface Context {
  readonly errors: Readonly<Record<string, () => Error>>;
  notModified(version: string): unknown;
  requireMatch(version: string): void;
}

const printed = new Date("2019-05-06T00:00:00Z");
const sold = new Date("2021-01-01T00:00:00Z");

let live: LoadedContract;
let received: unknown[];
let transport: typeof fetch;

beforeAll(async () => {
  live = await loadInMemory({
    ...contractOf(now),
    history: [contractOf(before)],
    int64: "bigint",
    timestamps: "Date",
  });
  received = [];
  const book = { id: 1n, length: 300n, printed, sold, copies: 2n };
  const take =
    (answer: (ctx: Context, request: Readonly<Record<string, unknown>>) => unknown) =>
    (ctx: Context, request: Readonly<Record<string, unknown>>) => {
      received.push(request);
      return answer(ctx, request);
    };
  const server = live.createServer(
    {
      Library: {
        Get: take(({ notModified }, { isbn }) => notModified("7") ?? { book: { ...book, id: isbn } }),
        List: take(() => ({ books: [book] })),
        Rename: take(({ requireMatch }) => {
          requireMatch("7");
          return { ok: true };
        }),
        Add: take((_ctx, { book: added }) => ({ id: (added as typeof book).id })),
        Cover: take(async (_ctx, { picture }) => ({ bytes: (picture as { size: number }).size })),
        Download: take(() => new Blob(["png"], { type: "image/png" })),
      },
    },
    {
      versions: {
        "v1.0.0": { up: { GetRequest: { isbn: ({ id }: { id: bigint }) => id } }, down: {} },
      },
    },
  );
  transport = transportTo(live, server);
});

async function ask(
  version: string,
  path: string,
  { headers, ...init }: RequestInit = {},
): Promise<{ status: number; body: string; headers: Headers }> {
  received.length = 0;
  const response = await transport(`http://library.test${path}`, {
    ...init,
    headers: { webrpc: `webrpc@v0.44.0;gen-golang@v1;Library@${version}`, ...(headers as object) },
  });
  return { status: response.status, body: await response.text(), headers: response.headers };
}

const json = (value: string, headers: object = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: value,
});

const bookThen = '{"id":1,"pages":300,"printed":"2019-05-06T00:00:00.000Z"}';

test("routes, basepaths and 64-bit integers of each version", async () => {
  const then = await ask("v1.0.0", "/rpc/books/9007199254740993?lang=de");
  expect(then).toMatchObject({
    status: 200,
    body: `{"book":${bookThen.replace('"id":1', '"id":9007199254740993')}}`,
  });
  expect(received).toEqual([{ isbn: 9_007_199_254_740_993n, lang: "de" }]);
  const current = await ask("v2.0.0", "/api/library/9007199254740993");
  expect(JSON.parse(current.body)).toMatchObject({ book: { length: 300, copies: 2 } });
  expect(await ask("v2.0.0", "/rpc/books/1")).toMatchObject({ status: 404 });
});

test("a tag of one version does not match the other, and caches keep both apart", async () => {
  const then = await ask("v1.0.0", "/rpc/books/1");
  const tag = then.headers.get("etag") ?? "";
  expect(then.headers.get("vary")).toBe("Webrpc");
  const again = (version: string, path: string, name = "if-none-match"): ReturnType<typeof ask> =>
    ask(version, path, { headers: { [name]: tag } });
  expect(await again("v1.0.0", "/rpc/books/1")).toMatchObject({ status: 304, body: "" });
  expect(await again("v2.0.0", "/api/library/1")).toMatchObject({ status: 200 });
  const rename = json('{"id":1,"title":"new"}', { "if-match": tag });
  expect(await ask("v1.0.0", "/rpc/Library/Rename", rename)).toMatchObject({ status: 200 });
  const refused = await ask("v2.0.0", "/api/Library/Rename", rename);
  expect(refused).toMatchObject({ status: 412, body: expect.stringContaining('"Changed"') });
  const other = json('{"id":1,"title":"new"}', { "if-match": '"x"' });
  expect(await ask("v1.0.0", "/rpc/Library/Rename", other)).toMatchObject({
    status: 412,
    body: expect.stringContaining('"Stale"'),
  });
});

test("the policy for caches and the dates of a deprecation are those of the current version", async () => {
  const list = await ask("v1.0.0", `/rpc/Library/List?q=${encodeURIComponent('{"tag":"a"}')}`);
  expect(list).toMatchObject({ status: 200, body: `{"books":[${bookThen}]}` });
  expect(list.headers.get("cache-control")).toBe("max-age=30");
  expect(list.headers.get("vary")).toBe("Webrpc");
  expect(list.headers.get("deprecation")).toBe("@1767225600");
  const outdated = await ask("v0.1.0", `/api/Library/List?q=${encodeURIComponent('{"tag":"a"}')}`);
  expect({ status: outdated.status, cache: outdated.headers.get("cache-control") }).toEqual({
    status: 410,
    cache: "no-store",
  });
});

test("a response that is kept for an idempotency key is sent to its own version only", async () => {
  const add = (version: string, key: string): ReturnType<typeof ask> => {
    const [path, field] =
      version === "v1.0.0" ? ["/rpc/Library/Add", "pages"] : ["/api/Library/Add", "length"];
    const body = `{"book":{"id":3,"${field}":5,"printed":"2019-05-06T00:00:00Z"}}`;
    return ask(version, path, json(body, { "idempotency-key": key }));
  };
  const added = { status: 200, body: '{"id":3}' };
  expect(await add("v1.0.0", '"k1"')).toMatchObject(added);
  const defaults = { sold: new Date("2020-01-01T00:00:00Z"), copies: 1n };
  expect(received).toEqual([{ book: { id: 3n, length: 5n, printed, ...defaults } }]);
  expect(await add("v1.0.0", '"k1"')).toMatchObject(added);
  expect(received).toEqual([]);
  const refused = { status: 422, body: expect.stringContaining("was used by a client of another version") };
  expect(await add("v2.0.0", '"k1"')).toMatchObject(refused);
  expect(await add("v2.0.0", '"k2"')).toMatchObject(added);
  expect(await add("v1.0.0", '"k2"')).toMatchObject(refused);
});

test("files of requests and responses", async () => {
  const form = new FormData();
  form.append("json", '{"id":1,"picture":null}');
  form.append("picture", new Blob(["abc"]), "cover.png");
  expect(await ask("v1.0.0", "/rpc/Library/Cover", { method: "POST", body: form })).toMatchObject({
    status: 200,
    body: '{"bytes":3}',
  });
  const file = await ask("v1.0.0", "/rpc/Library/Download", json('{"id":1}'));
  expect({ type: file.headers.get("content-type"), body: file.body }).toEqual({
    type: "image/png",
    body: "png",
  });
});

test("a file that a custom function does not find rejects the call", async () => {
  const schema = (version: string, methods: string): string => `webrpc = v1
name = Covers
version = ${version}
basepath = /rpc

${methods}`;
  const then = contractOf(
    schema("v1.0.0", "service Covers\n  - Set(files: []file)\n  - Add(title: string, files: []file)\n"),
  );
  const next = contractOf(
    schema(
      "v2.0.0",
      "struct Cover\n  - title: string\n  - file: file\n\nservice Covers\n  - Set(file: file)\n  - Add(cover: Cover)\n",
    ),
  );
  const loaded = await loadInMemory({ ...next, history: [then] });
  const sizes: unknown[] = [];
  const add = (file: { readonly size: number }): void => void sizes.push(file.size);
  const first = ({ files }: { files: readonly unknown[] }): unknown => files[0];
  const up = {
    SetRequest: { file: first },
    AddRequest: {
      cover: (given: { title: string; files: readonly unknown[] }) => ({
        title: given.title,
        file: first(given),
      }),
    },
  };
  const server = loaded.createServer(
    {
      Covers: {
        Set: (_ctx: unknown, req: never) => add(req["file"]),
        Add: (_ctx: unknown, req: never) => add(req["cover"]["file"]),
      },
    },
    { versions: { "v1.0.0": { up, down: {} } } },
  );
  const send = async (method: string, files: readonly string[]): Promise<unknown> => {
    const body = new FormData();
    body.append("json", JSON.stringify({ title: "a", files: files.map(() => null) }));
    for (const text of files) body.append("files", new Blob([text]), "a.png");
    const headers = { webrpc: "webrpc@v0.44.0;gen-golang@v1;Covers@v1.0.0" };
    const response = await transportTo(loaded, server)(`http://covers.test/rpc/Covers/${method}`, {
      method: "POST",
      headers,
      body,
    });
    return response.json();
  };
  const refused = (path: string): object => ({
    error: "WebrpcClientOutdated",
    cause: `the request of v1.0.0 is not valid in v2.0.0: ${path}: expected a file, found nothing`,
  });
  expect(await send("Set", ["abc"])).toEqual({});
  expect(await send("Add", ["abcd"])).toEqual({});
  expect(await send("Set", [])).toMatchObject(refused("/file"));
  expect(await send("Add", [])).toMatchObject(refused("/cover/file"));
  expect(sizes).toEqual([3, 4]);
});

test("an optional argument with a file may be absent or null", async () => {
  const schema = (version: string, more: string): string => `webrpc = v1
name = Covers
version = ${version}
basepath = /rpc

struct Cover
  - file: file

service Covers
  - Add(title: string, cover?: Cover${more})
`;
  const next = contractOf(schema("v2.0.0", ", note?: string"));
  const loaded = await loadInMemory({ ...next, history: [contractOf(schema("v1.0.0", ""))] });
  const titles: unknown[] = [];
  const add = (_ctx: unknown, { title }: { readonly title: string }): void => void titles.push(title);
  const transport = transportTo(loaded, loaded.createServer({ Covers: { Add: add } }));
  for (const body of ['{"title":"a"}', '{"title":"b","cover":null}']) {
    const form = new FormData();
    form.append("json", body);
    const headers = { webrpc: "webrpc@v0.44.0;gen-golang@v1;Covers@v1.0.0" };
    const init = { method: "POST", headers, body: form };
    const response = await transport("http://covers.test/rpc/Covers/Add", init);
    expect(await response.text()).toBe("{}");
  }
  expect(titles).toEqual(["a", "b"]);
});
