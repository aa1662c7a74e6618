import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../../server/base/storage/database.ts";
import { databaseOf } from "../../../support/database.ts";
import { type Data, makeData, type RunningHost, startHost } from "../../../support/host.ts";
import { makeKey } from "../../../support/operator.ts";

let data: Data;
let host: RunningHost;
let database: Database;
let otherKey: string;

const unlimited = "1000000000";

async function start(...args: readonly string[]): Promise<RunningHost> {
  const limits = ["--rate-limit-project", unlimited, "--rate-limit-address", unlimited];
  return startHost({
    data,
    args: ["--networks", "polygon", "--database-connections", "4", ...limits, ...args],
    // Listeners need a network that is followed, and no node that answers.
    env: {
      NETWORK_DETAILS: JSON.stringify({ polygon: { follow: true } }),
      RPC_URLS: "polygon=http://127.0.0.1:1",
    },
  });
}

beforeAll(async () => {
  data = await makeData();
  // Whoever waits for a connection gives up long before a statement that waits for a lock.
  host = await start("--read-max-ms", "8000", "--database-statement-timeout-ms", "60000");
  database = databaseOf(data);
  otherKey = (await makeKey(data)).accessKey;
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await host.stop();
  await data[Symbol.asyncDispose]();
});

const contractAddress = `0x${"1".repeat(40)}`;

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: { readonly code?: number; readonly cause?: string };
}

interface Sending {
  /** One of this machine's addresses. */
  readonly from?: string;
  /** Whether the body that was announced is sent. */
  readonly isWhole?: boolean;
  readonly body?: object;
}

function call(
  path: string,
  accessKey: string,
  { from = "127.0.0.1", isWhole = true, body: asked = { contractAddress } }: Sending = {},
): Promise<Answer> {
  const { port } = new URL(host.url);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        host: "127.0.0.1",
        localAddress: from,
        method: "POST",
        path,
        headers: {
          "content-type": "application/json",
          "x-access-key": accessKey,
          ...(accessKey === host.accessKey ? { authorization: `BEARER ${host.secretKey}` } : {}),
        },
      },
      (res) => {
        let text = "";
        res.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        res.on("end", () =>
          resolve({
            status: res.statusCode ?? 0,
            retryAfter: res.headers["retry-after"],
            body: JSON.parse(text),
          }),
        );
      },
    );
    sent.on("error", reject);
    const body = JSON.stringify(asked);
    sent.setHeader("content-length", body.length);
    if (isWhole) sent.end(body);
    else sent.flushHeaders();
  });
}

const floor = "/polygon/rpc/Marketplace/GetFloorOrder";
const sources = "/rpc/Builder/ListContractSources";

/** While nobody can read a table. */
async function whileLocked<Result>(work: () => Promise<Result>, table = "collection"): Promise<Result> {
  return database.transaction(async (tx) => {
    await tx.query(`lock table ${table} in access exclusive mode`);
    return work();
  });
}

describe("a caller with endless reads", () => {
  test("is rejected with 1901 and Retry-After, and delays no other project or address", async () => {
    // Compiles what is asked, and remembers the keys.
    for (const key of [host.accessKey, otherKey])
      for (const path of [sources, floor]) expect(await call(path, key)).toMatchObject({ status: 200 });
    const { reads, first, early, others } = await whileLocked(async () => {
      const reads = Array.from({ length: 60 }, () => call(floor, host.accessKey));
      const first = await Promise.race(reads);
      const early = await call(floor, host.accessKey, { isWhole: false });
      const others = [
        await call(sources, otherKey, { from: "127.0.0.2" }),
        await call(sources, host.accessKey, { from: "127.0.0.3" }),
      ];
      // In a list, so that nobody waits for them while the lock is held.
      return { reads, first, early, others };
    });
    expect(first).toMatchObject({ status: 503, retryAfter: "1", body: { code: 1901 } });
    // Refused before its body was read: it never came.
    expect(early).toMatchObject({ status: 503, retryAfter: "1", body: { code: 1901 } });
    for (const other of others) expect(other).toMatchObject({ status: 200 });
    const codes = new Set((await Promise.all(reads)).map(({ body }) => body.code));
    expect(codes).toEqual(new Set([undefined, 1901]));
  });

  const events = ["Transfer(address,address,uint256)"];
  const url = "https://8.8.8.8/hook";
  test.each([
    ["AddWebhookListener", { url, filters: { contractAddresses: [contractAddress], events } }],
    ["UpdateWebhookListener", { id: 1, name: "Other" }],
    ["RemoveWebhookListener", { id: 1 }],
    ["ToggleWebhookListener", { id: 1 }],
    ["GetWebhookListener", { id: 1 }],
    ["GetAllWebhookListeners", {}],
    ["RemoveAllWebhookListeners", {}],
    ["PauseAllWebhookListeners", {}],
    ["ResumeAllWebhookListeners", {}],
    ["RotateWebhookSecret", { id: 1 }],
  ])("is rejected by %s too, and other callers are not", async (method, body) => {
    const path = `/polygon/rpc/Indexer/${method}`;
    const { calls, first, others } = await whileLocked(async () => {
      const calls = Array.from({ length: 40 }, () => call(path, host.accessKey, { body }));
      const first = await Promise.race(calls);
      const others = [
        await call(sources, otherKey, { from: "127.0.0.2" }),
        await call(sources, host.accessKey, { from: "127.0.0.3" }),
      ];
      return { calls, first, others };
    }, "webhook_listener");
    expect(first).toMatchObject({ status: 503, retryAfter: "1", body: { code: 1901 } });
    for (const other of others) expect(other).toMatchObject({ status: 200 });
    const codes = (await Promise.all(calls)).map((answer) => answer.body.code);
    // Undefined: it was let in, and waited for the lock.
    expect(codes.filter((code) => ![undefined, 1901, 3000].includes(code))).toEqual([]);
  });

  async function restart(...settings: readonly string[]): Promise<void> {
    await database[Symbol.asyncDispose]();
    await host.stop();
    host = await start(...settings);
    database = databaseOf(data);
  }

  const pauseWhileLocked = (): Promise<Answer> => {
    const path = "/polygon/rpc/Indexer/PauseAllWebhookListeners";
    return whileLocked(() => call(path, host.accessKey, { body: {} }), "webhook_listener");
  };

  test("gets 1901 and Retry-After for a read or a change that took too long", async () => {
    await restart("--read-max-ms", "1000", "--database-statement-timeout-ms", "1500");
    expect(await pauseWhileLocked()).toMatchObject({
      status: 503,
      retryAfter: "10",
      body: { code: 1901, cause: "the change took longer than 1500 ms and was not made" },
    });
    await restart("--read-max-ms", "2000", "--database-statement-timeout-ms", "4000");
    const answer = await whileLocked(() => call(floor, host.accessKey));
    expect(answer).toMatchObject({
      status: 503,
      retryAfter: "10",
      body: { code: 1901, cause: "the read took longer than 2000 ms; request less data, or try again" },
    });
    expect(await pauseWhileLocked()).toMatchObject({
      status: 503,
      retryAfter: "10",
      body: {
        code: 1901,
        cause: "the change waited longer than 2000 ms for another one and was not made; try again",
      },
    });
    // The connection is as good as before, for reads and for everything else.
    expect(await call(floor, host.accessKey)).toMatchObject({ status: 200 });
  });
});
