import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Embedded, openEmbedded } from "../../server/storage/embedded/embedded.ts";

/** A Postgres that a test starts and stops as it likes, apart from any host. */
export interface TestServer extends AsyncDisposable {
  /** Of its one database. */
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function startServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "platform-server-"));
  let running: Embedded | undefined = await openEmbedded(folder, () => {});
  const { host, user, database } = running.address;
  async function stop(): Promise<void> {
    await running?.[Symbol.asyncDispose]();
    running = undefined;
  }
  return {
    url: `postgres://${user}@${encodeURIComponent(host)}/${database}`,
    stop,
    async start() {
      running ??= await openEmbedded(folder, () => {});
    },
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
