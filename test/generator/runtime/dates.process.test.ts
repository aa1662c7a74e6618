/** Timestamps as Dates, from callers to handlers and back. */
import { beforeAll, describe, expect, test } from "vitest";
import { generate } from "../../../generator/codegen/generate.ts";
import { compile } from "../../../generator/language/compile.ts";
import type { RpcError } from "../../../generator/runtime/src/errors.ts";
import { type LoadedContract, loadInMemory } from "../../../generator/verify/in-memory/load.ts";
import { memoryReader } from "../../support/memory-reader.ts";

const schema = `webrpc = v1
name = t
version = v1
basepath = /rpc

type Moment: timestamp
  + pattern = "^2"

struct Span
  - from: timestamp
  - until?: timestamp
  - all: []timestamp
  - byName: map<string,[]timestamp>
  - next?: Span
  - ended?: timestamp
    + nullable = always
  - start?: timestamp
    + default = "2000-01-01T00:00:00Z"
  - moment?: Moment

service S
  - Send(Span) => (Span)
  - Watch(Span) => stream (Span)
`;

let live: LoadedContract;
let types: string;

beforeAll(async () => {
  const { result, diagnostics } = compile("t.ridl", memoryReader({ "t.ridl": schema }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join(" "));
  const contract = { model: result.model, ir: result.ir, timestamps: "Date" } as const;
  live = await loadInMemory(contract);
  const options = { schemaFile: "t.ridl", timestamps: "Date", targets: ["types"] } as const;
  types = generate(result.model, result.ir, options).get("types.ts") ?? "";
});

interface Service {
  send(req: unknown): Promise<unknown>;
  watch(req: unknown): AsyncIterable<unknown>;
}

/** Creates a client of a server whose handler returns its request, or something else. */
function served(answer: (req: unknown) => unknown = (req) => req, options: object = {}) {
  const seen: unknown[] = [];
  const sent: string[] = [];
  const received: string[] = [];
  const causes: unknown[] = [];
  const handlers = {
    S: {
      Send: (_ctx: unknown, req: unknown) => {
        seen.push(req);
        return answer(req);
      },
      async *Watch(_ctx: unknown, req: unknown) {
        yield answer(req);
      },
    },
  };
  const onResponse = ({ cause }: { readonly cause?: unknown }): void => void causes.push(cause);
  const handle = live.fetchHandler(live.createServer(handlers, { ...options, onResponse }));
  const post = async (path: string, body: string): Promise<Response> =>
    handle(
      new Request(`http://memory${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body,
      }),
    );
  const transport = async (url: string, { body }: { readonly body: string }) => {
    sent.push(body);
    const response = await post(new URL(url).pathname, body);
    const [own, copy] = [response, response.clone()];
    if (!url.endsWith("Watch")) received.push(await copy.text());
    return { status: own.status, headers: own.headers, text: () => own.text(), body: own.body };
  };
  const ServiceOf = live.client["S"];
  if (ServiceOf === undefined) throw new Error("There is no client.");
  const service = new ServiceOf({ url: "http://memory", transport }) as unknown as Service;
  return { service, post, seen, sent, received, causes };
}

async function failureOf(call: Promise<unknown>): Promise<RpcError> {
  return call.then(
    (value) => {
      throw new Error(`It was ${JSON.stringify(value)}.`);
    },
    (error: RpcError) => error,
  );
}

const at = new Date("2025-01-31T12:00:00.120Z");
const text = "2025-01-31T12:00:00.120Z";
const plain = { from: at, all: [], byName: {} };

test("types are Dates", () => {
  expect(types).toContain("from: Date;");
  expect(types).toContain("until?: Date;");
  expect(types).toContain("all: Date[];");
  expect(types).toContain("byName: Record<string, Date[]>;");
  expect(types).toContain("ended: Date | null;");
  expect(types).toContain("export type Moment = Date;");
});

test("Dates arrive as Dates on both sides at any depth, and the request is not mutated", async () => {
  const { service, seen, sent, received } = served();
  const request = Object.freeze({
    ...plain,
    until: at,
    all: Object.freeze([at]),
    byName: { a: [at] },
    next: { ...plain, moment: at },
  });
  const filled = { start: new Date("2000-01-01T00:00:00Z") };
  const heard = { ...request, ...filled, next: { ...request.next, ...filled } };
  const whole = { ...heard, ended: null, next: { ...heard.next, ended: null } };
  expect(await service.send(request)).toStrictEqual(whole);
  expect(seen).toStrictEqual([heard]);
  expect(JSON.parse(sent[0] ?? "")).toMatchObject({ from: text, all: [text], byName: { a: [text] } });
  expect(JSON.parse(received[0] ?? "")).toMatchObject({ from: text, ended: null, next: { moment: text } });
  for await (const item of service.watch(request)) expect(item).toStrictEqual(whole);
});

test.each([
  ["2025-01-31T12:00:00Z", "2025-01-31T12:00:00.000Z"],
  ["2025-01-31T12:00:00.1Z", "2025-01-31T12:00:00.100Z"],
  ["2025-01-31T12:00:00.123456789Z", "2025-01-31T12:00:00.123Z"],
  ["2025-01-31T12:00:00.999999999Z", "2025-01-31T12:00:00.999Z"],
  ["1969-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.999Z"],
  ["2025-01-31T12:00:00.5+02:00", "2025-01-31T10:00:00.500Z"],
  ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
  ["9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999Z"],
])("%s is read as %s", async (sent, read) => {
  const { post, seen } = served();
  expect((await post("/rpc/S/Send", `{"from":"${sent}","all":null,"byName":null}`)).status).toBe(200);
  expect(seen).toMatchObject([{ from: new Date(read), all: [], byName: {} }]);
});

const wrong: readonly (readonly [string, unknown])[] = [
  ["an invalid Date", new Date(Number.NaN)],
  ["the last millisecond before the year 0000", new Date(-62_167_219_200_001)],
  ["the first millisecond of the year 10000", new Date(253_402_300_800_000)],
  ["text", text],
];

describe.each(wrong)("%s", (_about, value) => {
  const bad = { ...plain, byName: { "a/b": [at, value] } };

  test("is not sent", async () => {
    const { service, sent } = served();
    expect(await failureOf(service.send(bad))).toMatchObject({
      code: -4,
      side: "client",
      issues: [{ path: ["byName", "a/b", 1] }],
      message: expect.stringContaining("/byName/a~1b/1: expected a valid Date in the years 0000 to 9999"),
    });
    expect(sent).toEqual([]);
  });

  test.each([true, false])("is an invalid response, with checkResponses %s", async (checkResponses) => {
    const { service, causes } = served(() => ({ ...bad, ended: null, start: at }), { checkResponses });
    expect(await failureOf(service.send(plain))).toMatchObject({ code: -5, status: 500 });
    expect(causes).toEqual([expect.stringContaining("/byName/a~1b/1: expected a valid Date")]);
  });
});

test.each([-62_167_219_200_000, 253_402_300_799_999])("the time %d round-trips", async (moment) => {
  const { service } = served();
  expect(await service.send({ ...plain, from: new Date(moment) })).toMatchObject({ from: new Date(moment) });
});

test("a response with an invalid timestamp is rejected with its path", async () => {
  const ServiceOf = live.client["S"];
  const reply = '{"from":"yesterday","all":[],"byName":{},"ended":null,"start":null}';
  const transport = async () => ({ status: 200, headers: new Headers(), text: async () => reply });
  const service = new (ServiceOf as NonNullable<typeof ServiceOf>)({ url: "http://memory", transport });
  const error = await failureOf((service as unknown as Service).send(plain));
  expect(error).toMatchObject({ code: -5, issues: [{ path: ["from"], found: '"yesterday"' }] });
});

test("patterns apply to the text form", async () => {
  const { post } = served();
  const response = await post(
    "/rpc/S/Send",
    `{"from":"${text}","all":[],"byName":{},"moment":"1999-01-01T00:00:00Z"}`,
  );
  expect(response.status).toBe(400);
});
