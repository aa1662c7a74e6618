import { Agent } from "undici";
import { afterAll, expect, test } from "vitest";
import type { Client } from "../../generator/codegen/runtime/v1/client.ts";
import { undiciTransport } from "../../generator/codegen/runtime/v1/transport-undici.ts";
import { adapterNames } from "../support/adapters.ts";
import { seededRandom } from "../support/random.ts";
import { tryStreams } from "./streams/run.ts";

/** `npm run fuzz -- streams` takes 10,000, which are broken off some 800 times. */
const items = Number(process.env["STREAM_ITEMS"] ?? 300);
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
  "a stream that is broken off again and again comes whole: $adapter and $name",
  { timeout: 60_000 + items * 60 },
  async ({ adapter, transport }) => {
    const random = seededRandom(seed);
    const verdict = await tryStreams({ adapter, items, random, ...(transport && { transport }) });
    console.log(`${items} items, seed ${seed}:`, JSON.stringify(verdict));
    expect(verdict.complaint).toBeUndefined();
    expect(verdict.lost).toBeGreaterThan(items / 50);
  },
);
