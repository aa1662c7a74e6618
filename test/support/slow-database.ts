import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { type AttackedHost, startAttackedHost } from "./attacked-host.ts";
import { migratedDatabase } from "./server.ts";

export interface SlowDatabaseHost extends AttackedHost {
  /** Silently drops all traffic to the database. */
  readonly silence: () => void;
  /** Resumes the traffic, including what was held back. */
  readonly heal: () => void;
}

/**
 * A host whose database responds with this delay. Behind a pooler nothing is cached about credentials, so every call needs the
 * database.
 */
export async function startSlowDatabaseHost(
  delayMs: number,
  args: readonly string[],
): Promise<SlowDatabaseHost> {
  const server = await migratedDatabase();
  const { hostname, port } = new URL(server.url);
  const host = decodeURIComponent(hostname);
  const far = host.startsWith("/")
    ? { path: `${host}/.s.PGSQL.${port || "5432"}` }
    : { host, port: Number(port || "5432") };
  const lines = new Set<Line>();
  let isSilent = false;
  const distance = createServer((near) => {
    const database = connect(far);
    near.setNoDelay(true);
    const line = { near, far: database };
    lines.add(line);
    if (isSilent) silence(line);
    else near.pipe(database);
    sendLater(database, near, delayMs);
    for (const socket of [near, database]) socket.on("error", () => {});
    near.on("close", () => {
      lines.delete(line);
      database.destroy();
    });
    database.on("close", () => near.destroy());
  });
  distance.listen(0, "127.0.0.1");
  await once(distance, "listening");
  const address = distance.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  const url = new URL(server.url);
  url.host = `127.0.0.1:${address.port}`;
  const attacked = await startAttackedHost(args, {
    DATABASE_URL: url.href,
    DATABASE_POOLER: "true",
    SANDBOX: "true",
  });
  return {
    ...attacked,
    silence() {
      isSilent = true;
      for (const line of lines) silence(line);
    },
    heal() {
      isSilent = false;
      for (const { near, far } of lines) {
        near.pipe(far);
        far.resume();
      }
    },
    async [Symbol.asyncDispose]() {
      await attacked[Symbol.asyncDispose]();
      await closed(distance);
      await server[Symbol.asyncDispose]();
    },
  };
}

interface Line {
  readonly near: Socket;
  readonly far: Socket;
}

function silence({ near, far }: Line): void {
  near.unpipe(far);
  near.pause();
  far.pause();
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
