import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openEmbedded } from "../../../../server/base/storage/embedded/embedded.ts";
import { openPaths } from "../../../../server/base/storage/embedded/paths.ts";
import { runningPid } from "../../../../server/base/storage/embedded/postmaster.ts";
import { migrate } from "../../../../server/base/storage/migrate.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { type EventChain, emitterAddress, startEventChain } from "../../../support/event-chain.ts";
import { seededRandom } from "../../../support/random.ts";
import { recordedLogs, recordingTables, violationsOf } from "../../../support/recording-deriver.ts";
import { noSandbox } from "../../../support/sandbox.ts";

/** KILLS=50 SEED=… is the long form. */
const kills = Number(process.env["KILLS"] ?? 2);
const seed = Number(process.env["SEED"] ?? 3);

const program = fileURLToPath(new URL("../../../support/follower-child.ts", import.meta.url));

async function startChild(databaseUrl: string, rpcUrl: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["--import", "tsx", program, databaseUrl, rpcUrl], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

/** Mines blocks with events and occasional reorganizations until it is stopped. */
async function keepGrowing(chain: EventChain, stop: AbortSignal): Promise<void> {
  const random = seededRandom(seed);
  while (!stop.aborted) {
    await chain.emit(random.below(20));
    await chain.mine();
    if (random.chance(5)) {
      const data = `0x03${String(await chain.head()).padStart(64, "c")}`;
      const replaced = [
        [{ from: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266", to: emitterAddress, data }, 0],
      ];
      const depth = Math.min(random.below(8) + 1, (await chain.head()) - 1);
      await chain.request("anvil_reorg", depth, replaced).catch(() => {});
    }
    await sleep(10);
  }
}

test.skipIf(noSandbox)(
  `nothing is lost in ${kills} crashes of follower and Postgres during reorganizations, seed ${seed}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "platform-crash-"));
    chmodSync(folder, 0o755);
    await using _folder = {
      [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
    };
    await using embedded = await openEmbedded(folder, { info() {}, warn() {}, error() {} });
    const { host, user, database: name } = embedded.address;
    const url = `postgres://${user}@${encodeURIComponent(host)}/${name}`;
    await using chain = await startEventChain();
    await using database = openDatabase(
      { connectionString: url },
      { connections: 2, statementTimeoutMs: 10_000, namedStatements: true },
    );
    await migrate(database);
    await database.query(recordingTables);
    const growing = new AbortController();
    const grown = keepGrowing(chain, growing.signal);
    let child = await startChild(url, chain.rpcUrl);
    using _child = { [Symbol.dispose]: () => child.kill("SIGKILL") };
    const random = seededRandom(seed);
    for (let kill = 0; kill < kills; kill++) {
      await sleep(200 + random.below(800));
      if (kill % 2 === 0) {
        child.kill("SIGKILL");
        child = await startChild(url, chain.rpcUrl);
      } else {
        const pid = runningPid(openPaths(folder).cluster);
        if (pid !== undefined) process.kill(pid, "SIGKILL");
      }
    }
    growing.abort();
    await grown;
    const expected = (await chain.events()).map(
      (log) => `${log.blockNumber} ${log.blockHash} ${log.logIndex} ${log.data}`,
    );
    await expect
      .poll(() => recordedLogs(database).catch(() => []), { timeout: 120_000, interval: 200 })
      .toEqual(expected);
    expect(await violationsOf(database)).toEqual([]);
    expect(expected.length).toBeGreaterThan(20);
  },
  600_000,
);
