/**
 * How clients handle values that JSON corrupts: integers beyond 2^53 - 1, and lists, maps and bytes that Go writes as
 * null.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../../generator/language/compile.ts";
import type { RpcError } from "../../../generator/runtime/src/errors.ts";
import { pointerOf } from "../../../generator/runtime/src/errors.ts";
import { type LoadedContract, loadInMemory } from "../../../generator/verify/in-memory/load.ts";
import { memoryReader } from "../../support/memory-reader.ts";

const schema = `webrpc = v1
name = t
version = v1
basepath = /rpc

type Id: uint64
type Tags: []string

struct Ask

struct Node
  - id: Id
  - below: []Node
  - named: map<string,Node>

struct Body
  - id: int64
  - count?: uint
  - ids: []Id
  - byName: map<string,[]int>
  - ratio: float64
  - small: int32
  - extra: any
  - node?: Node
  - tags: Tags
  - lists: [][]string
  - maps: map<string,map<string,int64>>
  - bytes: []byte
  - blobs: [][]byte
  - maybe?: []string
  - maybeIds?: []int64
  - maybeMap?: map<string,string>
  - maybeBytes?: []byte
  - amount?: bigint
  - amounts?: []bigint
  - amountByName?: map<string,bigint>
  - nothing?: []string
    + nullable = always
  - nothingIds?: []int64
    + nullable = always

service S
  - Send(Body) => (Body)
  - Watch(Ask) => stream (Body)
`;

const forms: Record<"number" | "bigint", LoadedContract> = {} as never;

beforeAll(async () => {
  const { result, diagnostics } = compile("t.ridl", memoryReader({ "t.ridl": schema }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join(" "));
  for (const int64 of ["number", "bigint"] as const)
    forms[int64] = await loadInMemory({ model: result.model, ir: result.ir, int64 });
});

/** A body as JSON text by field. */
const whole: Readonly<Record<string, string>> = {
  id: "1",
  ids: "[]",
  byName: "{}",
  ratio: "1.5",
  small: "1",
  extra: "null",
  tags: "[]",
  lists: "[]",
  maps: "{}",
  bytes: '""',
  blobs: "[]",
  nothing: "null",
  nothingIds: "null",
};

function text(fields: Readonly<Record<string, string>>): string {
  const entries = Object.entries({ ...whole, ...fields });
  return `{${entries.map(([name, json]) => `"${name}":${json}`).join(",")}}`;
}

interface Service {
  send(req: unknown): Promise<unknown>;
  watch(): AsyncIterable<unknown>;
}

/** Creates a client whose server responds with this text, and records the bodies that it receives. */
function clientOf(form: keyof typeof forms, reply: string) {
  const sent: string[] = [];
  const transport = async (_url: string, { body }: { readonly body: string }) => {
    sent.push(body);
    return {
      status: 200,
      headers: new Headers(),
      text: async () => reply,
      body: new Blob([`\n${reply}\n`]).stream(),
    };
  };
  const ServiceOf = forms[form].client["S"];
  if (ServiceOf === undefined) throw new Error("There is no client.");
  const service = new ServiceOf({ url: "http://memory", transport }) as unknown as Service;
  return { send: (req: unknown) => service.send(req), first: () => firstOf(service.watch()), sent };
}

async function firstOf(items: AsyncIterable<unknown>): Promise<unknown> {
  for await (const item of items) return item;
  return undefined;
}

async function failureOf(call: Promise<unknown>): Promise<RpcError> {
  return call.then(
    (value) => {
      throw new Error(`It was ${JSON.stringify(value)}.`);
    },
    (error: RpcError) => error,
  );
}

const plain = JSON.parse(text({})) as Record<string, unknown>;

const safe = "9007199254740991";

/** Where a 64-bit integer may occur: its field, the JSON around it, and the rest of its path. */
const places: readonly (readonly [
  field: string,
  around: (integer: string) => string,
  inner: readonly (string | number)[],
])[] = [
  ["id", (integer) => integer, []],
  ["count", (integer) => integer, []],
  ["ids", (integer) => `[0,${integer}]`, [1]],
  ["byName", (integer) => `{"a/b~":[0,0,${integer}]}`, ["a/b~", 2]],
  ["maps", (integer) => `{"a":{"b":${integer}}}`, ["a", "b"]],
  ["maybeIds", (integer) => `[${integer}]`, [0]],
  ["nothingIds", (integer) => `[${integer}]`, [0]],
  [
    "node",
    (integer) =>
      `{"id":0,"below":[{"id":0,"below":[],"named":{"x":{"id":${integer},"below":[],"named":{}}}}],"named":{}}`,
    ["below", 0, "named", "x", "id"],
  ],
];

describe.each(places)("an integer in %s, as a number", (field, around, inner) => {
  const path = [field, ...inner];
  const pointer = pointerOf(path);
  test.each([safe, `-${safe}`, "0", "9.007199254740991e15", "10e-1"])("%s is read", async (integer) => {
    if (integer.startsWith("-") && field === "node") return;
    const reply = text({ [field]: around(integer) });
    expect(await clientOf("number", reply).send(plain)).toEqual(
      expect.objectContaining({ [field]: JSON.parse(around(integer)) }),
    );
  });

  const refused = [
    "9007199254740992",
    "9007199254740993",
    "-9007199254740992",
    "18446744073709551615",
    "9007199254740992.5",
    "0.5",
    "1e16",
    "1e400",
    '"1"',
    "true",
  ];

  test.each(refused)("%s is rejected in a response and in a stream item", async (integer) => {
    const { send, first } = clientOf("number", text({ [field]: around(integer) }));
    for (const error of [await failureOf(send(plain)), await failureOf(first())]) {
      expect(error).toMatchObject({
        code: -5,
        name: "WebrpcBadResponse",
        side: "response",
        retryable: false,
      });
      expect(error.message).toContain(`${pointer}: expected an integer within ±(2^53 - 1), found `);
      expect(error.issues).toMatchObject([{ path, expected: "an integer within ±(2^53 - 1)" }]);
    }
  });

  test.each([2 ** 53 - 1, 1 - 2 ** 53, 0])("%d is sent", async (integer) => {
    const { send, sent } = clientOf("number", text({}));
    const request = deepFreeze({ ...plain, [field]: JSON.parse(around(String(integer))) });
    await send(request);
    expect(sent).toEqual([JSON.stringify(request)]);
  });

  test.each([2 ** 53, 2 ** 53 + 2, -(2 ** 53), 0.5, 1e300])("%d is not sent", async (integer) => {
    const { send, sent } = clientOf("number", text({}));
    const error = await failureOf(send({ ...plain, [field]: JSON.parse(around(String(integer))) }));
    expect(error).toMatchObject({ code: -4, status: 0, side: "client", retryable: false });
    expect(error.name).toBe("WebrpcBadRequest");
    expect(error.message).toContain(`${pointer}: expected an integer within ±(2^53 - 1), found `);
    expect(error.issues).toMatchObject([{ path }]);
    expect(sent).toEqual([]);
  });
});

test("non-numbers are not sent for an integer", async () => {
  for (const id of [Number.NaN, Number.POSITIVE_INFINITY, 1n, "1"]) {
    const { send, sent } = clientOf("number", text({}));
    expect(await failureOf(send({ ...plain, id }))).toMatchObject({ code: -4, issues: [{ path: ["id"] }] });
    expect(sent).toEqual([]);
  }
});

test("floats, any and unknown fields may exceed 2^53 - 1", async () => {
  const reply = text({ ratio: "1e300", extra: "[9007199254740993]", unknown: "9007199254740993" });
  expect(await clientOf("number", reply).send({ ...plain, ratio: 1e300, extra: 2 ** 60 })).toMatchObject({
    ratio: 1e300,
    extra: [2 ** 53],
    unknown: 2 ** 53,
  });
});

test("with bigints, 64-bit integers keep their digits, and other integers are limited to 2^53 - 1", async () => {
  const fields = { id: "9007199254740993", ids: "[18446744073709551615]", ratio: "9007199254740993" };
  expect(await clientOf("bigint", text(fields)).send({ ...plain, id: 1n })).toMatchObject({
    id: 2n ** 53n + 1n,
    ids: [2n ** 64n - 1n],
    ratio: 2 ** 53,
  });
  const reply = text({ count: "9007199254740993" });
  const error = await failureOf(clientOf("bigint", reply).send({ ...plain, id: 1n }));
  expect(error).toMatchObject({ code: -5, issues: [{ path: ["count"], found: "9007199254740993" }] });
  const { send, sent } = clientOf("bigint", text({}));
  expect(await failureOf(send({ ...plain, id: 1n, count: 2 ** 53 }))).toMatchObject({ code: -4 });
  await send({ ...plain, id: 2n ** 63n - 1n, ids: [2n ** 64n - 1n], byName: { a: [1] } });
  expect(sent).toHaveLength(1);
  expect(sent[0]).toContain('"id":9223372036854775807,"ids":[18446744073709551615],"byName":{"a":[1]}');
});

describe.each(["number", "bigint"] as const)("null, int64 as %s", (form) => {
  const nulls = {
    ids: "null",
    byName: '{"a":null}',
    tags: "null",
    lists: "[null,[]]",
    maps: '{"a":null}',
    bytes: "null",
    blobs: '[null,"AA=="]',
    maybe: "null",
    maybeIds: "null",
    maybeMap: "null",
    maybeBytes: "null",
    node: '{"id":1,"below":null,"named":null}',
  };
  const one = form === "bigint" ? 1n : 1;
  const empty = {
    ids: [],
    byName: { a: [] },
    tags: [],
    lists: [[], []],
    maps: { a: {} },
    bytes: "",
    blobs: ["", "AA=="],
    nothing: null,
    nothingIds: null,
    node: { id: one, below: [], named: {} },
  };

  test("is read as empty, as absent if optional, and as null if nullable", async () => {
    const { send, first } = clientOf(form, text(nulls));
    for (const value of [await send({ ...plain, id: one }), await first()]) {
      expect(value).toMatchObject(empty);
      for (const name of ["maybe", "maybeIds", "maybeMap", "maybeBytes"])
        expect(value).not.toHaveProperty(name);
    }
  });

  test("at the top of containers is read as empty", async () => {
    const all = { byName: "null", lists: "null", maps: "null", blobs: "null" };
    expect(await clientOf(form, text(all)).send({ ...plain, id: one })).toMatchObject({
      byName: {},
      lists: [],
      maps: {},
      blobs: [],
    });
  });
});

test("null, missing values, values of a wrong type and objects with toJSON are sent as they are", async () => {
  const { send, sent } = clientOf("number", text({}));
  const unchanged = [
    { tags: null, byName: null, bytes: null, maybe: null, id: null },
    { maybe: undefined, count: undefined, node: undefined },
    { tags: "a", byName: [], maybeMap: 1, lists: [{}], node: [] },
    { node: { toJSON: () => ({ id: 1, below: [], named: {} }) } },
  ];
  for (const fields of unchanged) await send(deepFreeze({ ...plain, ...fields }));
  expect(sent).toEqual(unchanged.map((fields) => JSON.stringify({ ...plain, ...fields })));
});

test.each(["number", "bigint"] as const)(
  "bigints are text, and a request stays as it is, int64 as %s",
  async (form) => {
    const amounts = { amount: 2n ** 64n, amounts: [1n, -1n], amountByName: { __proto__: null, a: 0n } };
    const { send, sent } = clientOf(
      form,
      text({ amount: '"1"', amounts: '["2"]', amountByName: '{"a":"3"}' }),
    );
    const id = form === "bigint" ? 1n : 1;
    expect(await send(deepFreeze({ ...plain, id, ...amounts }))).toMatchObject({
      amount: 1n,
      amounts: [2n],
      amountByName: { a: 3n },
    });
    expect(JSON.parse(sent[0] ?? "")).toEqual({
      ...plain,
      amount: "18446744073709551616",
      amounts: ["1", "-1"],
      amountByName: { a: "0" },
    });
  },
);

test("a list for a map in a response is rejected", async () => {
  const error = await failureOf(clientOf("number", text({ maybeMap: "[]" })).send(plain));
  expect(error).toMatchObject({ code: -5, issues: [{ path: ["maybeMap"], expected: "an object" }] });
});

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
