import { Agent } from "undici";
import { afterAll, expect, test } from "vitest";
import type { Client } from "../../generator/runtime/src/client.ts";
import { undiciTransport } from "../../generator/runtime/src/undici.ts";
import { adapterNames } from "../support/adapters.ts";
import { seededRandom } from "../support/random.ts";
import { tryStreams } from "./streams/run.ts";

/** `npm run fuzz -- streams` uses 10,000 items, which break off about 800 times. */
const items = Number(process.env["STREAM_ITEMS"] ?? 100);
const seed = Number(process.env["STREAM_SEED"] ?? 20_261);

const dispatcher = new Agent();
afterAll(() => dispatcher.destroy());

const transports: Readonly<Record<string, Client["transport"]>> = {
  fetch: undefined,
  undici: undiciTransport(dispatcher),
};
const each = adapterNames.flatMap((adapter) =>
  Object.entries(transports).map(([name, transport]) => ({ adapter, name, transport })),
);

test.concurrent.each(each)(
  "a stream that breaks off repeatedly arrives complete: $adapter and $name",
  { timeout: 60_000 + items * 60 },
  async ({ adapter, transport }) => {
    const random = seededRandom(seed);
    const verdict = await tryStreams({ adapter, items, random, ...(transport && { transport }) });
    console.log(`${items} items, seed ${seed}:`, JSON.stringify(verdict));
    expect(verdict.complaint).toBeUndefined();
    expect(verdict.lost).toBeGreaterThan(items / 50);
  },
);
