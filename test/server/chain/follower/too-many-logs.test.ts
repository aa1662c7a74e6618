import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TooManyLogs } from "../../../../server/chain/follower/source.ts";
import { openSource } from "../../../../server/chain/follower/viem/open-source.ts";
import { localNetwork } from "../../../support/local-network.ts";

interface Question {
  readonly id: number;
  readonly method: string;
}

/** The error thrown if a node responds to every request for logs like this. */
interface Refusal {
  readonly status?: number;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

let refusal: Refusal;
const node = createServer(async (req, res) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const asked = JSON.parse(Buffer.concat(chunks).toString()) as Question | readonly Question[];
  const isLogs = "method" in asked && asked.method === "eth_getLogs";
  res.writeHead(isLogs ? (refusal.status ?? 200) : 200, { "content-type": "application/json" });
  const answer = isLogs ? { error: refusal.error } : { result: "0x7a69" };
  const answers = [asked].flat().map(({ id }) => ({ jsonrpc: "2.0", id, ...answer }));
  res.end(JSON.stringify("id" in asked ? answers[0] : answers));
});
let url = "";

beforeAll(async () => {
  await new Promise<void>((done) => node.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
});
afterAll(() => {
  node.closeAllConnections();
  node.close();
});

async function thrownFor(given: Refusal): Promise<unknown> {
  refusal = given;
  const source = await openSource(localNetwork(url, { follow: true }));
  return source.logsOfRange(0, 9_999, { addresses: new Set(["0x1"]) }).catch((err: unknown) => err);
}

/** Messages from bug reports and from the nodes' source code. */
type Row = readonly [
  who: string,
  code: number,
  message: string,
  more?: { readonly status?: number; readonly data?: unknown },
];
const tooMany: readonly Row[] = [
  ["Infura", -32_005, "query returned more than 10000 results"],
  [
    "Infura",
    -32_005,
    "query returned more than 10000 results. Try with this block range [0x13A1F1, 0x13A2B0].",
  ],
  ["Infura", -32_602, "range 1000000 exceeds limit of 10000"],
  ["Infura", -32_005, "query timeout exceeded"],
  [
    "Alchemy",
    -32_602,
    "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [0x0, 0x88c025]",
  ],
  [
    "Alchemy",
    -32_600,
    "You can make eth_getLogs requests with up to a 500 block range. Based on your parameters, this block range should work: [0x2710, 0x2903]",
  ],
  [
    "Alchemy",
    -32_602,
    "Query timeout exceeded. Consider reducing your block range. Based on your parameters and the response size limit, this block range should work: [0x0, 0x1]",
  ],
  ["QuickNode", -32_614, "eth_getLogs is limited to a 10,000 range", { status: 413 }],
  [
    "QuickNode",
    -32_602,
    "eth_getLogs and eth_newFilter are limited to a 10,000 blocks range",
    { status: 413 },
  ],
  ["Ankr", -32_602, "block range is too wide"],
  ["Ankr", -32_600, "block range is too wide"],
  ["BlockPI", -32_602, "eth_getLogs is limited to 1024 block range. Please check the parameter requirements"],
  ["1RPC", -32_000, "eth_getLogs is limited to a 10000 blocks range"],
  ["LlamaRPC", -32_602, "query exceeds max block range 1000"],
  [
    "Cloudflare",
    -32_047,
    "Invalid eth_getLogs request. 'fromBlock'-'toBlock' range too large. Max range: 800",
  ],
  [
    "Tenderly",
    -32_602,
    "invalid params",
    { data: { payload: "range 9009594 is bigger than range limit 2000" } },
  ],
  ["NodeReal", -32_005, "exceed maximum block range: 50000"],
  ["Chainstack", -32_602, "Block range limit exceeded. See more details at https://docs.chainstack.com"],
  ["dRPC", 35, "ranges over 10000 blocks are not supported on freetier"],
  ["dRPC", -32_005, "query exceeds max results 20000, retry with the range 1-2"],
  ["PublicNode", -32_701, "exceed maximum block range: 50000"],
  ["Pocket", -32_000, "Too many logs requested. Max logs per response is 10000"],
  ["an exchange's node", -32_005, "requested too many blocks from 1 to 10001, maximum is set to 2048"],
  ["geth", -32_000, "exceed max topics or logs limit: query exceeds limit of 10000 logs"],
  ["geth", -32_005, "logs matched by query exceeds limit of 10000"],
  ["erigon", -32_000, "query block range exceeds server limit, narrow your filter: 1000"],
  ["erigon", -32_000, "query returns too many logs, narrow your filter: 20000"],
  ["a fork of erigon", -32_005, "block range too large, max range: 10000"],
  ["reth", -32_602, "query exceeds max block range 100000"],
  ["reth", -32_602, "query exceeds max results 20000, retry with the range 100-200"],
  ["nethermind", -32_005, "Too many logs requested. Max logs per response is 20000."],
  ["besu", -32_005, "Requested range exceeds maximum range limit"],
  [
    "a rollup's node",
    -32_000,
    "block range is larger than max block range, block range = 5120, max block range = 5000",
  ],
  ["zkSync", -32_602, "Query returned more than 10000 results. Try with this block range [0x1, 0x2]."],
  ["anybody, who calls it a limit", -32_005, "limit exceeded"],
  ["anybody, who calls the question invalid", -32_602, "filter refused"],
];

describe("ranges that are too large are distinguished from other errors", () => {
  test.each(tooMany.map(([who, code, message, more]) => ({ who, code, message, ...more })))(
    "$who: $code $message",
    async ({ code, message, data, status = 200 }) => {
      const error = { code, message, ...(data === undefined ? {} : { data }) };
      expect(await thrownFor({ status, error })).toBeInstanceOf(TooManyLogs);
    },
  );

  test.each([
    ["query returned more than 10000 results. Try with this block range [0x13A1F1, 0x13A2B0].", 192],
    ["this block range should work: [0x0, 0x88c025]", 8_962_086],
    ["eth_getLogs requests with up to a 500 block range.", 500],
    ["Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range", 2_000],
    ["eth_getLogs is limited to a 10,000 range", 10_000],
    ["eth_getLogs and eth_newFilter are limited to a 10,000 blocks range", 10_000],
    ["eth_getLogs is limited to 1024 block range. Please check the parameter requirements", 1_024],
    ["range 1000000 exceeds limit of 10000", 10_000],
    ["query exceeds max block range 1000", 1_000],
    ["'fromBlock'-'toBlock' range too large. Max range: 800", 800],
    ["range 9009594 is bigger than range limit 2000", 2_000],
    ["exceed maximum block range: 50000", 50_000],
    ["ranges over 10000 blocks are not supported on freetier", 10_000],
    ["query exceeds max results 20000, retry with the range 1-20", 20],
    ["requested too many blocks from 1 to 10001, maximum is set to 2048", 2_048],
    ["query block range exceeds server limit, narrow your filter: 1000", 1_000],
    ["block range too large, max range: 10000", 10_000],
    ["block range is too wide", undefined],
    ["query returned more than 10000 results", undefined],
    ["Too many logs requested. Max logs per response is 20000.", undefined],
    ["query timeout exceeded", undefined],
  ])("%s allows %s blocks", async (message, blocks) => {
    expect(await thrownFor({ error: { code: -32_005, message } })).toMatchObject({
      node: 0,
      suggestedBlocks: blocks,
    });
  });

  test.each([
    [429, -32_005, "Too Many Requests"],
    [429, 429, "Your app has exceeded its compute units per second capacity."],
    [200, -32_005, "project ID request rate exceeded"],
    [200, -32_005, "daily request count exceeded, request rate limited"],
    [200, -32_007, "15/second request limit reached - reduce calls per second or upgrade your account"],
    [401, -32_000, "Unauthorized: You must authenticate your request with an API key."],
    [200, -32_601, "the method eth_getLogs does not exist/is not available"],
    [200, -32_000, "header not found"],
    [200, -32_000, "block range extends beyond current head block: requested 0x2000, head 0x1000"],
    [200, -32_603, "Internal error"],
  ])("%i, %i %s is another error", async (status, code, message) => {
    const err = await thrownFor({ status, error: { code, message } });
    expect(err).toBeInstanceOf(Error);
    expect(err).not.toBeInstanceOf(TooManyLogs);
  });
});
