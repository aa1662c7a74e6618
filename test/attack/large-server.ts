/** A small generated server with large responses, as a process of its own: `large-server.ts koa|node-http|fetch`. */
import { setTimeout as sleep } from "node:timers/promises";
import { createServer as createFeeds } from "../fixtures/feeds/generated/server.ts";
import { createServer as createShop } from "../fixtures/shop/generated/server.ts";
import { shopHandlers } from "../generator/runtime/shop.ts";
import { type AdapterName, serveWith } from "../support/adapters.ts";

const text = "x".repeat(20_000_000);

const Shop = {
  ...shopHandlers.Shop,
  /** `{"value":1}` is read from a database 10 ms away, `{"value":0}` from memory. */
  Echo: async (_ctx: unknown, { value }: { readonly value: unknown }) => {
    if (value === 1) await sleep(10);
    return { value: text };
  },
};

async function* endless() {
  for (let number = 1; ; number++) yield { number, id: String(number), text: text.slice(0, 100_000) };
}

const Feeds = {
  Watch: () => endless(),
  Count: async function* () {
    for await (const { number } of endless()) yield { tick: { number } };
  },
  Beat: async function* () {
    for await (const { number } of endless()) yield { beat: number };
  },
};

const adapter = process.argv[2] as AdapterName;
const shop = await serveWith(adapter, createShop({ ...shopHandlers, Shop } as never));
const feeds = await serveWith(adapter, createFeeds({ Feeds } as never));
process.send?.({ shop: shop.port, feeds: feeds.port });
