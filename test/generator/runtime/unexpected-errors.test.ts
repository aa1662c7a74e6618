import { expect, test } from "vitest";
import type { CallLog, ServerOptions } from "../../../generator/runtime/src/options.ts";
import { createServer, rpcError, type SchemaErrorName } from "../../fixtures/shop/generated/server.ts";
import { adapterNames, serveWith } from "../../support/adapters.ts";
import { rawRequest } from "../../support/raw-http.ts";
import { shopWith } from "./shop.ts";

type Options = ServerOptions<unknown, SchemaErrorName>;

const internal = { error: "WebrpcInternalError", code: -7, msg: "internal error", status: 500 };
const endpoint = { error: "WebrpcEndpoint", code: 0, msg: "endpoint error", status: 400 };
const notFound = { error: "NotFound", code: 20, msg: "there is no such thing", status: 404 };
const soldOut = { error: "SoldOut", code: 21, msg: "sold `out`", status: 409 };

const kinds = ["internal", "endpoint", "endpoint-with-message"] as const;
const boom = new Error("boom");

/** What is thrown, and the response of each of the three settings. */
const rows: readonly (readonly [what: string, thrown: unknown, ...answers: readonly object[]])[] = [
  ["an error", boom, internal, endpoint, { ...endpoint, cause: "boom" }],
  ["a text", "boom", internal, endpoint, { ...endpoint, cause: "boom" }],
  ["an error without a message", new Error(), internal, endpoint, endpoint],
  ["nothing", undefined, internal, endpoint, endpoint],
  ["an object", { message: "boom" }, internal, endpoint, endpoint],
  [
    "an error whose message is no text",
    Object.assign(new Error(), { message: 5 }),
    internal,
    endpoint,
    endpoint,
  ],
  ["999 characters", "x".repeat(999), internal, endpoint, { ...endpoint, cause: "x".repeat(999) }],
  ["1,000 characters", "x".repeat(1000), internal, endpoint, { ...endpoint, cause: "x".repeat(1000) }],
  ["1,001 characters", "x".repeat(1001), internal, endpoint, { ...endpoint, cause: `${"x".repeat(999)}…` }],
  [
    "an error of another method",
    rpcError.SoldOut({ cause: "secret", expose: true }),
    internal,
    endpoint,
    { ...endpoint, cause: soldOut.msg },
  ],
  ["an error of the method", rpcError.NotFound(), notFound, notFound, notFound],
];

const each = rows.flatMap(([what, thrown, ...answers]) =>
  kinds.map((kind, index) => [what, kind, thrown, answers[index]] as const),
);

test.each(each)("%s that a handler throws, %s", async (_what, unexpectedErrors, thrown, answer) => {
  expect(await answerTo({ unexpectedErrors }, throwing(thrown))).toEqual(answer);
});

test("without the option, it is internal", async () => {
  expect(await answerTo({}, throwing(boom))).toEqual(internal);
});

test("a returned error is treated like a thrown one", async () => {
  expect(await answerTo({ unexpectedErrors: "endpoint" }, () => boom)).toEqual(endpoint);
});

test.each(adapterNames)("over %s, the log contains the thrown error", async (adapter) => {
  const logs: CallLog[] = [];
  const options: Options = { unexpectedErrors: "endpoint", onResponse: (log) => logs.push(log) };
  expect(await answerTo(options, throwing(boom), adapter)).toEqual(endpoint);
  expect(logs).toMatchObject([{ status: 400, error: { code: 0 }, cause: boom }]);
});

test("mapError comes first", async () => {
  const mapError = (thrown: unknown) => (thrown === boom ? rpcError.SoldOut() : undefined);
  const options: Options = { unexpectedErrors: "endpoint", mapError };
  expect(await answerTo(options, throwing(boom))).toEqual(soldOut);
  expect(await answerTo(options, throwing(new Error("other")))).toEqual(endpoint);
});

test("a hook that throws is internal", async () => {
  const options: Options = { unexpectedErrors: "endpoint-with-message", guards: [throwing(boom)] };
  expect(await answerTo(options, () => ({}))).toEqual(internal);
});

function throwing(thrown: unknown): () => never {
  return () => {
    throw thrown;
  };
}

async function answerTo(
  options: Options,
  getItem: () => unknown,
  adapter: (typeof adapterNames)[number] = "node-http",
): Promise<unknown> {
  await using running = await serveWith(adapter, createServer(shopWith(getItem), options));
  const { status, body } = await rawRequest(running.port, { path: "/v2/rpc/Shop/GetItem", body: '{"id":1}' });
  const answer = JSON.parse(body) as { readonly status: number };
  expect(answer.status).toBe(status);
  return answer;
}
