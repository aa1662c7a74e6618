/** How the drop-in file handles integers beyond 2^53 - 1, and null for lists, maps and bytes, as Go writes them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { folder, ridlkit } from "../support/program.ts";

const schema = `webrpc = v1
name = t
version = v1
basepath = /rpc

type Id: uint64
type Tags: []string

struct Body
  - id: Id
  - count: int
  - ids: []Id
  - byName: map<string,[]int64>
  - next?: Body
  - ratio: float64
  - tags: Tags
  - lists: [][]string
  - bytes: []byte
  - maybe?: []string
  - nothing?: []string
    + nullable = always

service S
  - Send(Body) => (Body)
  - Watch(Body) => stream (Body)
`;

interface Generated {
  readonly S: new (
    host: string,
    fetch: (url: string, init: { readonly body: string }) => Promise<Response>,
  ) => {
    send(req: unknown): Promise<unknown>;
    watch(req: unknown, options: object): { readonly closed: Promise<void> };
  };
  readonly WebrpcBadResponseError: new () => Error;
  readonly WebrpcBadRequestError: new () => Error;
  serveSRpc(service: object, ctx: unknown, path: string, body: unknown): Promise<{ readonly body: unknown }>;
}

let generated: Generated;

beforeAll(async () => {
  using made = folder({ "t.ridl": schema });
  await ridlkit(["-schema=t.ridl", "-target=typescript", "-client", "-server", "-out=t.ts", "-silent"], {
    cwd: made.path,
  });
  const { code } = await transform(readFileSync(join(made.path, "t.ts"), "utf8"), { loader: "ts" });
  generated = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Generated;
});

const plain = {
  id: 1,
  count: 1,
  ids: [],
  byName: {},
  ratio: 1,
  tags: [],
  lists: [],
  bytes: "",
  nothing: null,
};

function clientOf(reply: string) {
  const sent: string[] = [];
  const service = new generated.S("http://memory", async (_url, { body }) => {
    sent.push(body);
    return new Response(reply);
  });
  const first = (req: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      service.watch(req, { onMessage: resolve, onError: resolve });
    });
  return { send: (req: unknown) => service.send(req).catch((error: unknown) => error), first, sent };
}

function replyOf(fields: Readonly<Record<string, string>>): string {
  const entries = Object.entries({ ...plain }).map(([name, value]) => [name, JSON.stringify(value)]);
  const texts = Object.entries({ ...Object.fromEntries(entries), ...fields });
  return `{${texts.map(([name, text]) => `"${name}":${text}`).join(",")}}\n`;
}

/** The field, the JSON around an integer, and its path. */
const places = [
  ["id", "?", "id"],
  ["count", "?", "count"],
  ["ids", "[0,?]", "ids[1]"],
  ["byName", '{"a":[?]}', "byName.a[0]"],
  ["next", replyOf({ id: "?" }).trim(), "next.id"],
] as const;

describe.each(places)("an integer in %s", (field, around, place) => {
  const json = (integer: string): string => around.replace("?", integer);

  test("of ±(2^53 - 1) round-trips", async () => {
    for (const integer of ["9007199254740991", "-9007199254740991"]) {
      const value = JSON.parse(json(integer)) as unknown;
      const { send, first, sent } = clientOf(replyOf({ [field]: json(integer) }));
      expect(await send({ ...plain, [field]: value })).toMatchObject({ [field]: value });
      expect(await first({ ...plain, [field]: value })).toMatchObject({ [field]: value });
      expect(sent).toHaveLength(2);
    }
  });

  test.each(["9007199254740993", "-9007199254740992", "1e16", "0.5"])("of %s is refused", async (integer) => {
    const { send, first } = clientOf(replyOf({ [field]: json(integer) }));
    for (const error of [await send(plain), await first(plain)]) {
      expect(error).toBeInstanceOf(generated.WebrpcBadResponseError);
      const cause = expect.stringContaining(`${place} must be an integer within ±(2^53 - 1), found `);
      expect(error).toMatchObject({ code: -5, cause, message: cause });
    }
  });

  test("of 2^53 is not sent", async () => {
    const request = { ...plain, [field]: JSON.parse(json("9007199254740992")) as unknown };
    const { send, first, sent } = clientOf(replyOf({}));
    for (const error of [await send(request), await first(request)]) {
      expect(error).toBeInstanceOf(generated.WebrpcBadRequestError);
      expect(error).toMatchObject({ code: -4, cause: expect.stringContaining(`${place} must be`) });
    }
    expect(sent).toEqual([]);
  });
});

test("a float may exceed 2^53 - 1", async () => {
  expect(await clientOf(replyOf({ ratio: "1e300" })).send({ ...plain, ratio: 1e300 })).toMatchObject({
    ratio: 1e300,
  });
});

const nulls = {
  ...plain,
  ids: null,
  byName: { a: null },
  tags: null,
  lists: [null],
  bytes: null,
  maybe: null,
};
const emptied = { ...plain, byName: { a: [] }, lists: [[]] };

test("null is read as empty in responses and items", async () => {
  const { send, first } = clientOf(`${JSON.stringify(nulls)}\n`);
  expect(await send(plain)).toStrictEqual(emptied);
  expect(await first(plain)).toStrictEqual(emptied);
});

test("null is read as empty in requests", async () => {
  let seen: unknown;
  const service = {
    send: async (_ctx: unknown, req: unknown) => {
      seen = req;
      return plain;
    },
  };
  expect(await generated.serveSRpc(service, {}, "/rpc/S/Send", nulls)).toMatchObject({ body: plain });
  expect(seen).toStrictEqual(emptied);
});
