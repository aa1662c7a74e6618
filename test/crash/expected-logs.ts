/** What receivers should know: the logs on the chain, and whether something is queued for them. */
import { setTimeout as sleep } from "node:timers/promises";
import { findRunning } from "../../server/base/storage/embedded/embedded.ts";
import { openDatabase } from "../../server/base/storage/open-database.ts";
import { type EventChain, emitterAddress } from "../support/event-chain.ts";
import type { Data } from "../support/host.ts";
import { logPositionOf, type ReceiverState } from "./receiver-state.ts";

/** Number of items that are missing in the others. */
export function without(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...some].filter((each) => !others.has(each)).length;
}

/** All logs on the chain from a block on, by their positions. */
export async function logPositionsOn(chain: EventChain, fromBlock = 0): Promise<ReadonlySet<string>> {
  const logs = (await chain.request("eth_getLogs", {
    fromBlock: `0x${fromBlock.toString(16)}`,
    toBlock: "latest",
    address: emitterAddress,
  })) as readonly Readonly<Record<"blockHash" | "transactionHash", string>>[];
  const counts = new Map<string, number>();
  return new Set(
    logs.map(({ blockHash, transactionHash }) => {
      const index = counts.get(transactionHash) ?? 0;
      counts.set(transactionHash, index + 1);
      return logPositionOf({ blockHash, txnHash: transactionHash, txnLogIndex: String(index) });
    }),
  );
}

/** Waits until the receivers know all expected logs and nothing is queued, or until the time is over. */
export async function untilKnown(
  data: Data,
  states: readonly ReceiverState[],
  expected: ReadonlySet<string>,
  maxMs: number,
): Promise<void> {
  const end = performance.now() + maxMs;
  while (performance.now() < end) {
    const isKnown = states.every((state) => {
      const logs = state.logs();
      return logs.size === expected.size && without(logs, expected) === 0;
    });
    if (isKnown && (await waiting(data)) === 0) return;
    await sleep(200);
  }
}

async function waiting({ folder }: Data): Promise<number> {
  const address = findRunning(folder);
  if (address === undefined) return Number.NaN;
  await using database = openDatabase(
    { ...address },
    { connections: 1, statementTimeoutMs: 5_000, namedStatements: true },
  );
  // Postgres may just have been killed.
  const [row] = await database
    .query<{ waiting: number }>(
      "select count(*)::int as waiting from webhook_notification where state in ('held', 'waiting')",
    )
    .catch(() => []);
  return row?.waiting ?? Number.NaN;
}
