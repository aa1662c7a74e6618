/** Issues of invalid requests, from the server's validators over the wire to the client's error. */
import { beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../../generator/language/compile.ts";
import type { Issue, RpcError } from "../../../generator/runtime/src/errors.ts";
import { type LoadedContract, loadInMemory } from "../../../generator/verify/in-memory/load.ts";
import { memoryReader } from "../../support/memory-reader.ts";

const schema = `webrpc = v1
name = t
version = v1
basepath = /rpc

struct Body
  - count?: uint8
  - grid?: [][]uint8
  - deep?: map<string,[]map<string,uint8>>
  - byName?: map<string,uint8>
  - bytes?: []byte
  - token?: string
    + secret = true
    + maxLength = 3
  - phones?: map<string,uint8>
    + pii = true

struct Empty

struct Line
  - line: string

service S
  - Send(Body) => (Empty)
  - Watch(Body) => stream (Line)
`;

let live: LoadedContract;

beforeAll(async () => {
  const { result, diagnostics } = compile("t.ridl", memoryReader({ "t.ridl": schema }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join(" "));
  live = await loadInMemory({ model: result.model, ir: result.ir });
});

interface Service {
  send(req: unknown): Promise<unknown>;
  watch(req: unknown): AsyncIterable<unknown>;
}

type Answerer = (request: Request) => Promise<Response>;

function clientOf(answer: Answerer): Service {
  const transport = async (url: string, { method, headers, body }: RequestInit) =>
    answer(new Request(url, { method, headers, body } as RequestInit));
  const ServiceOf = live.client["S"];
  if (ServiceOf === undefined) throw new Error("There is no client.");
  return new ServiceOf({ url: "http://memory", transport }) as unknown as Service;
}

function serving(): Answerer {
  return live.fetchHandler(live.createServer({ S: { Send: () => ({}), Watch: async function* () {} } }));
}

async function failureOf(call: Promise<unknown>): Promise<RpcError> {
  return call.then(
    () => {
      throw new Error("The call succeeded.");
    },
    (error: RpcError) => error,
  );
}

async function firstOf(items: AsyncIterable<unknown>): Promise<unknown> {
  for await (const item of items) return item;
  return undefined;
}

type Rule = Pick<Issue, "code" | "params">;
const tooLong: Rule = { code: "maxLength", params: { maxLength: 3 } };
const rules: Readonly<Record<string, Rule>> = {
  "-1": { code: "minimum", params: { minimum: 0 } },
  "300": { code: "maximum", params: { maximum: 255 } },
};
const longKey = "k".repeat(61);
const rows: readonly (readonly [fact: string, body: unknown, issues: readonly Issue[], cause: string])[] = [
  row("a field", { count: "x" }, ["count"], "an integer from 0 to 255", '"x"'),
  row(
    "an item of a list in a list",
    { grid: [[1], [2, 300]] },
    ["grid", 1, 1],
    "an integer from 0 to 255",
    "300",
  ),
  row(
    "an entry below a list",
    { deep: { a: [{}, { "0": -1 }] } },
    ["deep", "a", 1, "0"],
    "an integer from 0 to 255",
    "-1",
  ),
  row(
    "a key of 60 characters",
    { byName: { [longKey.slice(1)]: -1 } },
    ["byName", longKey.slice(1)],
    "an integer from 0 to 255",
    "-1",
  ),
  row(
    "a key of 61 characters",
    { byName: { [longKey]: -1 } },
    ["byName", `${longKey.slice(2)}…`],
    "an integer from 0 to 255",
    "-1",
  ),
  row("bytes", { bytes: [1] }, ["bytes"], "base64 text", "a list of 1"),
  row("a secret text", { token: "hunter2" }, ["token"], "text of at most 3 characters", "text"),
  row(
    "a personal map, without its keys",
    { phones: { "555-1234": "x" } },
    ["phones"],
    "an integer from 0 to 255",
    "text",
  ),
  row(
    "a key with a slash and a tilde",
    { byName: { "a/b~c": -1 } },
    ["byName", "a/b~c"],
    "an integer from 0 to 255",
    "-1",
    "/byName/a~1b~0c",
  ),
  row("the whole body", [], [], "an object", "a list", "body"),
];

function row(
  fact: string,
  body: unknown,
  path: readonly (string | number)[],
  expected: string,
  found: string,
  pointer = `/${path.join("/")}`,
) {
  const message = `expected ${expected}, found ${found}`;
  const rule = rules[found] ?? (expected.startsWith("text") ? tooLong : { code: "type" });
  return [fact, body, [{ message, path, expected, found, ...rule }], `${pointer}: ${message}`] as const;
}

test.each(rows)(
  "%s has its issue in the client's error, of a call and of a stream",
  async (_, body, issues, cause) => {
    const service = clientOf(serving());
    for (const call of [service.send(body), firstOf(service.watch(body))]) {
      const error = await failureOf(call);
      expect(error).toMatchObject({ name: "WebrpcBadRequest", code: -4, status: 400, side: "server", cause });
      expect(error.issues).toEqual(issues);
    }
  },
);

test.each([
  [19, 19, undefined],
  [20, 20, undefined],
  [21, 20, "; and 1 more"],
  [999, 20, "; and 979 more"],
  [1_000, 20, "; and at least 980 more"],
  [5_000, 20, "; and at least 980 more"],
])("of %d issues, the first %d are sent", async (count, listed, end) => {
  const error = await failureOf(clientOf(serving()).send({ grid: new Array(count).fill(0) }));
  expect(error.issues?.map(({ path }) => path)).toEqual(
    Array.from({ length: listed }, (_, index) => ["grid", index]),
  );
  expect(error.cause?.match(/; and .*$/)?.[0]).toBe(end);
});

test("a body that is not JSON has a cause and no issues", async () => {
  const response = await serving()(
    new Request("http://memory/rpc/S/Send", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{",
    }),
  );
  expect(await response.json()).toEqual({
    error: "WebrpcBadRequest",
    code: -4,
    msg: "bad request",
    cause: expect.stringContaining("JSON"),
    status: 400,
  });
});

const good: Issue = { message: "m", path: ["a", 0], expected: "e", found: "f" };

describe("issues of an error response are used only if all of them are valid", () => {
  test.each<[string, unknown]>([
    ["one", [good]],
    ["two", [good, { ...good, path: [] }]],
    ["none in a list", []],
  ])("%s", async (_, issues) => {
    expect((await answered(issues)).issues).toEqual(issues);
  });

  test.each<[string, unknown]>([
    ["absent", undefined],
    ["null", null],
    ["a text", "issues"],
    ["a number", 5],
    ["an object", { length: 1, 0: good }],
    ["an object that pretends", { every: true }],
    ["null in a list", [good, null]],
    ["a text in a list", ["x"]],
    ["no message", [{ ...good, message: undefined }]],
    ["a message that is a number", [{ ...good, message: 5 }]],
    ["no expected", [{ ...good, expected: undefined }]],
    ["found that is an object", [{ ...good, found: {} }]],
    ["no path", [{ ...good, path: undefined }]],
    ["a path that is a pointer", [{ ...good, path: "/a/0" }]],
    ["a path that is an object", [{ ...good, path: { 0: "a" } }]],
    ["a step that is null", [{ ...good, path: [null] }]],
    ["a step that is an object", [good, { ...good, path: [{ key: "a" }] }]],
    ["a step that is a list", [{ ...good, path: [["a"]] }]],
    ["a step that is true", [{ ...good, path: [true] }]],
  ])("not %s", async (_, issues) => {
    const error = await answered(issues);
    expect(error.issues).toBeUndefined();
    expect(error).toMatchObject({ name: "WebrpcBadRequest", code: -4, msg: "no", cause: "c", status: 400 });
  });

  async function answered(issues: unknown): Promise<RpcError> {
    const envelope = { error: "WebrpcBadRequest", code: -4, msg: "no", cause: "c", status: 400, issues };
    return failureOf(clientOf(async () => Response.json(envelope, { status: 400 })).send({}));
  }
});
