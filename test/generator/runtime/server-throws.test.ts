import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RpcFailure } from "../../../generator/runtime/src/handler.ts";
import type { CallLog } from "../../../generator/runtime/src/options.ts";
import { rpcError as otherApi } from "../../fixtures/interop/generated/server.ts";
import { createServer, rpcError } from "../../fixtures/shop/generated/server.ts";
import { adapterNames, type RunningServer, serveWith } from "../../support/adapters.ts";
import { seededRandom } from "../../support/random.ts";
import { shopWith } from "./shop.ts";

/** Part of every message, stack, cause, name and property that a handler throws. It must never leave the server. */
const secret = "s3cr3t-";

/** Everything that a handler may throw by accident. */
const thrown: readonly ((text: string) => unknown)[] = [
  (text) => text,
  (text) => new Error(text),
  (text) => new TypeError(text, { cause: text }),
  (text) => new AggregateError([new Error(text)], text),
  (text) =>
    Object.assign(new Error(text), { status: 418, expose: true, code: text, headers: { [text]: text } }),
  (text) => ({ message: text, toString: () => text, toJSON: () => text }),
  (text) => ({ error: text, code: 20, msg: text, cause: text, status: 404, name: "NotFound" }),
  (text) =>
    Object.assign(Object.create(RpcFailure.prototype), { name: text, message: text, code: 20, status: 404 }),
  (text) =>
    Object.assign(new Error(text), {
      name: "RpcFailure",
      "~raises": "NotFound",
      code: 20,
      status: 404,
      msg: text,
    }),
  (text) =>
    new RpcFailure({ name: "NotFound", code: 20, message: text, status: 404 }, { cause: text, expose: true }),
  (text) => Object.assign(otherApi.UserNotFound({ cause: text, expose: true }), { message: text }),
  (text) => rpcError.SoldOut({ cause: text, expose: true, headers: { "X-Text": text } }),
  (text) =>
    Object.assign(rpcError.NotFound({ cause: text }), {
      message: text,
      stack: text,
      name: text,
      expose: true,
    }),
  (text) => new Proxy(rpcError.NotFound(), { get: () => text }),
  (text) =>
    new Proxy(
      {},
      {
        get: () => {
          throw new Error(text);
        },
        getPrototypeOf: () => {
          throw new Error(text);
        },
      },
    ),
  (text) => Object.freeze(new Error(text)),
  (text) =>
    Object.defineProperty({}, "message", {
      get: () => {
        throw new Error(text);
      },
    }),
  (text) => Promise.reject(new Error(text)),
  (text) => new DOMException(text, "AbortError"),
  (text) => Symbol(text),
  (text) => [text],
  (text) => () => text,
  (text) => BigInt(text.length),
  () => undefined,
  () => null,
];

/** How a handler raises it. */
const ways: readonly ((value: unknown) => (...args: unknown[]) => unknown)[] = [
  (value) => () => {
    throw value;
  },
  (value) => async () => {
    await null;
    throw value;
  },
  (value) => () => Promise.reject(value),
  // biome-ignore lint/suspicious/noThenProperty: a promise of another library
  (value) => () => ({ then: (_done: unknown, failed: (value: unknown) => void) => failed(value) }),
  (value) => () => (value instanceof Error || value instanceof Promise ? value : new Error(secret)),
  (value) => () => ({
    item: {
      get id() {
        throw value;
      },
    },
  }),
  (value) => () =>
    Object.defineProperty({}, "item", {
      enumerable: true,
      get: () => {
        throw value;
      },
    }),
];

/** Every way with every value on every adapter. `npm run fuzz -- throws` adds random rounds. */
const combinations = adapterNames.flatMap((name) =>
  ways.flatMap((way) => thrown.map((make) => ({ name, way, make }))),
);
const rounds = Number(process.env["THROWN_ERRORS"] ?? combinations.length);
const seed = Number(process.env["THROWN_SEED"] ?? 1);

describe("no text of a thrown error reaches the caller", () => {
  let throwNext: (...args: unknown[]) => unknown = () => ({});
  const running = new Map<string, RunningServer>();
  const logs: CallLog[] = [];

  beforeAll(async () => {
    const server = createServer(
      shopWith((...args: unknown[]) => throwNext(...args)),
      { onResponse: (log) => logs.push(log) },
    );
    for (const name of adapterNames) running.set(name, await serveWith(name, server));
  });
  afterAll(async () => {
    for (const server of running.values()) await server[Symbol.asyncDispose]();
  });

  test(`${rounds} throws, seed ${seed}`, { timeout: 60_000 + rounds * 30 }, async () => {
    const random = seededRandom(seed);
    const before = process.listeners("unhandledRejection");
    const unhandled: unknown[] = [];
    process.removeAllListeners("unhandledRejection");
    process.on("unhandledRejection", (reason) => unhandled.push(reason));
    for (let round = 0; round < rounds; round++) {
      const text = `${secret}${round}`;
      const { name, way, make } = combinations[round] ?? random.pick(combinations);
      throwNext = (...args) => way(make(text))(...args);
      const response = await fetch(`${running.get(name)?.url}/v2/rpc/Shop/GetItem`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: '{"id":1}',
      });
      const told = JSON.stringify([...response.headers]) + (await response.text());
      expect(told).not.toContain(secret);
      expect([404, 500]).toContain(response.status);
    }
    process.removeAllListeners("unhandledRejection");
    for (const listener of before) process.on("unhandledRejection", listener);
    expect(unhandled).toEqual([]);
    expect(logs).toHaveLength(rounds);
  });
});
