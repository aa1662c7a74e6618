/** The accounts of `npm start` go on trading: on request, and while someone watches. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, type Platform } from "../../../../client/index.ts";
import { type Data, makeDataFolder } from "../../../support/host.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { type RunningDemo, startDemo } from "./running-demo.ts";

describe.skipIf(noSandbox)("trades of the sandbox", () => {
  let data: Data;
  let demo: RunningDemo;
  let platform: Platform;
  beforeAll(async () => {
    data = makeDataFolder();
    demo = await startDemo(data, { trades: true });
    const { url, accessKey, secretKey } = demo;
    platform = connect({ url, accessKey, secretKey });
  });
  afterAll(async () => {
    await demo?.stop();
    await data?.[Symbol.asyncDispose]();
  });

  const countOf = async (side: "listing" | "offer"): Promise<number> => {
    const { marketplace } = platform.on("31337");
    return (await marketplace.listCollectibles({ contractAddress: demo.collection, side })).collectibles
      .length;
  };

  const opened = () => ({ authorization: `BEARER ${demo.secretKey}` });

  const makeTrade = async (): Promise<string> => {
    const response = await fetch(`${demo.url}/sandbox/trades`, {
      method: "POST",
      headers: opened(),
      body: "{}",
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { readonly trade: string }).trade;
  };

  test("are made on request, and leave enough orders for the next one", async () => {
    const kinds = new Set<string>();
    for (let count = 0; count < 25; count++) {
      const trade = await makeTrade();
      expect(trade).toMatch(
        /^(Ada|Bao|Cleo|Dan|Eve) (listed|bought|sold|offered|withdrew) .*\d+(?:[.]\d+)? (USD|DAI|GEM|ETH)\b.*[.]$/,
      );
      kinds.add(trade.split(" ")[1] ?? "");
    }
    expect(kinds.size).toBeGreaterThan(1);
    // One more or fewer: the follower may not have read the last trade.
    await expect.poll(() => countOf("listing"), { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
    expect(await countOf("listing")).toBeLessThanOrEqual(9);
    expect(await countOf("offer")).toBeLessThanOrEqual(9);
  });

  test("are made while someone watches", async () => {
    const watching = new AbortController();
    const { body } = await fetch(`${demo.url}/sandbox/live`, { headers: opened(), signal: watching.signal });
    let text = "";
    const events = body as unknown as AsyncIterable<Uint8Array>;
    for await (const chunk of events) {
      text += Buffer.from(chunk).toString("utf8");
      const made = new Set([...text.matchAll(/^event: trades\ndata: (.*)$/gm)].map(([, json = ""]) => json));
      if (made.size >= 2) break;
    }
    watching.abort();
    expect(text).toContain('"everySeconds":10');
    expect(text).not.toContain('"isFault":true');
  });
});
