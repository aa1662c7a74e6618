import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "./random.ts";

export interface ChaosProxyOptions {
  /** The port of the host that gets the next connection. */
  readonly target: () => number;
  readonly random: Random;
  /** Most bytes of a connection until it is cut. Default: 4,200. */
  readonly maxBytes?: number;
}

export interface ChaosProxy extends AsyncDisposable {
  readonly url: string;
  /** While true, connections are cut, closed and delayed. */
  isOn: boolean;
  readonly done: { resets: number; ends: number; delays: number };
}

/**
 * A proxy for TCP on this machine. It resets connections, closes them in the middle of a response, and delays data, after random
 * numbers of bytes.
 */
export async function startChaosProxy({
  target,
  random,
  maxBytes = 4_200,
}: ChaosProxyOptions): Promise<ChaosProxy> {
  const done = { resets: 0, ends: 0, delays: 0 };
  const open = new Set<Socket>();
  const proxy = { isOn: false, done };

  async function forward(client: Socket, host: Socket): Promise<void> {
    let left = 200 + random.below(maxBytes - 200);
    for await (const part of host as AsyncIterable<Buffer>) {
      if (proxy.isOn && random.chance(10)) {
        done.delays++;
        await sleep(1 + random.below(10));
      }
      left -= part.length;
      if (!proxy.isOn || left > 0) {
        if (!client.write(part))
          await new Promise((drained) => client.once("drain", drained).once("close", drained));
        continue;
      }
      const isReset = random.chance(50);
      done[isReset ? "resets" : "ends"]++;
      // The client has a part of the last bytes, usually in the middle of an item.
      client.write(part.subarray(0, Math.max(0, part.length + left)));
      if (isReset) client.resetAndDestroy();
      else client.end();
      host.destroy();
      return;
    }
    client.end();
  }

  const server = createServer((client) => {
    const host = connect(target(), "127.0.0.1");
    for (const socket of [client, host]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => open.delete(socket));
    }
    client.on("close", () => host.destroy());
    client.pipe(host);
    forward(client, host).catch(() => client.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  });
}
