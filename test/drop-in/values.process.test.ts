/** How the drop-in file handles values that JSON would change, undeclared fields, and null as Go writes it. */
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
  - more?: any

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
  serveSRpc(
    service: object,
    ctx: unknown,
    path: string,
    body: unknown,
  ): Promise<{ readonly status: number; readonly body: unknown }>;
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

/** The request that a handler gets, and the response that a caller gets. */
async function served(body: unknown, response: unknown = plain) {
  let seen: unknown;
  const send = async (_ctx: unknown, req: unknown) => {
    seen = req;
    return response;
  };
  return { ...(await generated.serveSRpc({ send }, {}, "/rpc/S/Send", body)), seen };
}

test("null is read as empty in requests", async () => {
  const { body, seen } = await served(nulls);
  expect(body).toEqual(plain);
  expect(seen).toStrictEqual(emptied);
});

describe("a field that may be null", () => {
  const { nothing: _, ...absent } = plain;

  test("may be absent in requests, other than null", async () => {
    const { send, sent } = clientOf(replyOf({}));
    await send(absent);
    await send(plain);
    for (const [index, request] of [absent, plain].entries()) {
      expect(JSON.parse(sent[index] ?? "")).toStrictEqual(request);
      expect((await served(request)).seen).toStrictEqual(request);
    }
  });

  test("is null in responses", async () => {
    expect((await served(plain, { ...absent, next: absent })).body).toStrictEqual({ ...plain, next: plain });
  });
});

/** What JSON would change, by field, and what an error says. */
const changed: readonly (readonly [name: string, fields: () => object, fault: string])[] = [
  ["NaN", () => ({ ratio: Number.NaN }), "ratio must be a finite number, found NaN"],
  ["Infinity", () => ({ ratio: -Infinity }), "ratio must be a finite number, found -Infinity"],
  ["NaN for an integer", () => ({ ids: [1, Number.NaN] }), "ids[1] must be a finite number, found NaN"],
  [
    "NaN of an optional field",
    () => ({ next: { ...plain, ratio: Number.NaN } }),
    "next.ratio must be a finite number",
  ],
  [
    "undefined in a list",
    () => ({ tags: ["a", undefined] }),
    "tags[1] must be a JSON value, found undefined",
  ],
  // biome-ignore lint/suspicious/noSparseArray: a list with a hole
  ["a hole in a list", () => ({ tags: ["a", , "b"] }), "tags[1] must be a JSON value, found undefined"],
  ["a Map for a map", () => ({ byName: new Map([["a", [1]]]) }), "byName must "],
  ["NaN in any", () => ({ more: { a: [Number.NaN] } }), "more.a[0] must be a finite number, found NaN"],
  ["a Set in any", () => ({ more: new Set([1]) }), "more must be a JSON value, found [object Set]"],
  ["an invalid Date in any", () => ({ more: new Date(Number.NaN) }), "more must be a JSON value"],
  ["a function in any", () => ({ more: { a: () => 1 } }), "more.a must be a JSON value, found function"],
  ["a cycle in any", cycle, "more.self must not contain itself"],
];

function cycle(): object {
  const more: Record<string, unknown> = {};
  more["self"] = more;
  return { more };
}

describe("values that JSON would change", () => {
  test.each(changed)("%s is not sent by a client", async (_name, fields, fault) => {
    const { send, first, sent } = clientOf(replyOf({}));
    for (const error of [await send({ ...plain, ...fields() }), await first({ ...plain, ...fields() })]) {
      expect(error).toBeInstanceOf(generated.WebrpcBadRequestError);
      expect(error).toMatchObject({ code: -4, cause: expect.stringContaining(fault) });
    }
    expect(sent).toEqual([]);
  });

  test.each([
    ...changed,
    ["an object for text", () => ({ tags: [{ passwordHash: "a" }] }), "tags[0] must not be an object"],
    ["a list for a struct", () => ({ next: [plain] }), "next must not be a list"],
    ["a list for a map", () => ({ byName: [[1]] }), "byName must not be a list"],
    ["an object for a list", () => ({ tags: { a: "b" } }), "tags must not be an object"],
  ] as typeof changed)("%s is not sent by a server", async (_name, fields, fault) => {
    const { status, body } = await served(plain, { ...plain, ...fields() });
    const cause = expect.stringContaining(fault);
    expect([status, body]).toEqual([500, expect.objectContaining({ code: -5, cause })]);
  });

  test("a struct that contains itself is not sent", async () => {
    const body: Record<string, unknown> = { ...plain };
    body["next"] = body;
    expect(await clientOf(replyOf({})).send(body)).toMatchObject({ cause: "next must not contain itself" });
    expect((await served(plain, body)).status).toBe(500);
  });

  test("other values are kept", async () => {
    const kept = { more: [new Date(0), 2n ** 64n, { a: undefined }, "é"] };
    const { send, sent } = clientOf(replyOf({}));
    await send({ ...plain, ...kept, next: undefined });
    const json = { ...plain, more: ["1970-01-01T00:00:00.000Z", "18446744073709551616", {}, "é"] };
    expect(JSON.parse(sent[0] ?? "")).toEqual(json);
    expect((await served(plain, { ...plain, ...kept })).body).toEqual(json);
  });
});

test("a server passes on declared fields only, at every depth", async () => {
  const secret = { passwordHash: "hunter2" };
  const deep = { ...plain, next: { ...plain, ...secret }, ...secret };
  const declared = { ...plain, next: plain };
  const { body, seen } = await served(deep, deep);
  expect([seen, body]).toStrictEqual([declared, declared]);
  class Row {
    readonly passwordHash = "hunter2";
    get id() {
      return 1;
    }
  }
  const { id: _, ...others } = plain;
  expect((await served(plain, Object.assign(new Row(), others))).body).toStrictEqual(plain);
});
