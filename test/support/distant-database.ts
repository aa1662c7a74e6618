import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { type AttackedHost, startAttackedHost } from "./attacked-host.ts";
import { startServer } from "./server.ts";

/** A host whose database is that far away, and whose calls all ask it: behind a pooler nothing is remembered of credentials. */
export async function startDistantHost(delayMs: number, args: readonly string[]): Promise<AttackedHost> {
  const server = await startServer();
  const { hostname, username } = new URL(server.url);
  const distance = createServer((near) => {
    const far = connect(`${decodeURIComponent(hostname)}/.s.PGSQL.5432`);
    near.setNoDelay(true);
    near.pipe(far);
    sendLater(far, near, delayMs);
    for (const socket of [near, far]) socket.on("error", () => {});
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  });
  distance.listen(0, "127.0.0.1");
  await once(distance, "listening");
  const address = distance.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  const attacked = await startAttackedHost(args, {
    DATABASE_URL: `postgres://${username}@127.0.0.1:${address.port}/postgres`,
    DATABASE_POOLER: "true",
    SANDBOX: "true",
  });
  return {
    ...attacked,
    async [Symbol.asyncDispose]() {
      await attacked[Symbol.asyncDispose]();
      await closed(distance);
      await server[Symbol.asyncDispose]();
    },
  };
}

function sendLater(from: Socket, to: Socket, delayMs: number): void {
  from.on("data", (chunk: Buffer) => {
    setTimeout(() => {
      if (to.writable) to.write(chunk);
    }, delayMs);
  });
}

async function closed(server: Server): Promise<void> {
  server.close();
  await once(server, "close");
}
