/** A host of the feeds contract in a process of its own: `news-host.ts memory`, or `news-host.ts STORE DATABASE_URL`. Prints its port. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setInterval } from "node:timers";
import pg from "pg";
import { nodeListener } from "../../generator/runtime/src/node.ts";
import {
  createServer as createApi,
  memoryReplayStore,
  type ReplayStore,
  replay,
} from "../fixtures/feeds/generated/server.ts";
import type { News } from "../fixtures/feeds/generated/types.ts";
import { loadStore } from "./news-store.ts";

const [kind = "memory", url = ""] = process.argv.slice(2);

function memory(): ReplayStore<News> {
  const items = memoryReplayStore<News>();
  let number = 0;
  setInterval(() => items.publish("x", (id) => ({ id, text: `${number++}` })), 2);
  return items;
}

const store =
  kind === "memory" ? memory() : (await loadStore(kind))(new pg.Pool({ connectionString: url, max: 5 }));
const api = createApi({
  Feeds: {
    Watch: (ctx, { feed, after }) => replay(store, feed, after, ctx),
    Count: async function* () {},
    Beat: async function* () {},
  },
});
const server = createServer(nodeListener(api)).listen(0, "127.0.0.1", () => {
  console.log((server.address() as AddressInfo).port);
});
