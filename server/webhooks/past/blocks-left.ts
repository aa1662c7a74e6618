import type { Queries } from "../../base/storage/database.ts";
import { isNotified } from "../listener-sql.ts";
import { blocksLeft } from "./progress.ts";

const leftSql = {
  name: "webhook-past-left",
  text: `select cursor.chain_id, coalesce(sum(${blocksLeft}), 0)::float8 as blocks
         from follower_cursor cursor left join (
           webhook_past past join webhook_listener listener on listener.id = past.listener_id and ${isNotified}
         ) on past.chain_id = cursor.chain_id
         where cursor.chain_id = any($1::bigint[]) group by cursor.chain_id`,
};

/** By chain id: past blocks left to read, for all listeners together. Those that are paused by their owner or gone have none. */
export async function pastBlocksLeft(
  queries: Queries,
  chainIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await queries.query<{ readonly chain_id: string; readonly blocks: number }>(leftSql, [
    chainIds,
  ]);
  return new Map(rows.map(({ chain_id, blocks }) => [Number(chain_id), blocks]));
}
