import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { adapterNames } from "../support/adapters.ts";
import { postBytes } from "../support/open-loop.ts";
import { besiege } from "./siege.ts";

const echo = (value: number): Buffer => postBytes("/v2/rpc/Shop/Echo", JSON.stringify({ value }));
const watch = postBytes("/rpc/Feeds/Watch", '{"feed":"a"}');
const watchEvents = postBytes("/rpc/Feeds/Watch", '{"feed":"a"}', { Accept: "text/event-stream" });
const slowBytesPerSecond = 100;

/** Callers of generated servers that do not read, or slowly. A process for each attack, so that its memory is that of the attack. */
export async function reportUnread(): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const adapter of adapterNames)
    for (const [what, api, call, bytesPerSecond] of [
      ["20 MB from memory", "shop", echo(0), 0],
      ["20 MB from a database", "shop", echo(1), 0],
      ["20 MB, read slowly", "shop", echo(1), slowBytesPerSecond],
      ["a stream", "feeds", watch, 0],
      ["a stream, read slowly", "feeds", watch, slowBytesPerSecond],
      ["server-sent events", "feeds", watchEvents, 0],
    ] as const) {
      const server = fork(fileURLToPath(new URL("./large-server.ts", import.meta.url)), [adapter]);
      const [ports] = (await once(server, "message")) as [Record<"shop" | "feeds", number>];
      broken.push(
        ...(await besiege({
          name: `${adapter}, ${what}`,
          process: server,
          port: ports[api],
          calls: [call],
          bytesPerSecond,
          other: { port: ports.shop, call: postBytes("/v2/rpc/Shop/Ping", "{}") },
        })),
      );
      server.kill("SIGKILL");
    }
  return broken;
}
