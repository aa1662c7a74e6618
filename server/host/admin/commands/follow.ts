import type { Command } from "../command.ts";
import { readChains, shown } from "../follow/chains.ts";
import { reindex } from "../follow/reindex.ts";
import { chainIdNamed, networkName } from "../networks.ts";

const skippedSql = `
select id, chain_id, deriver, step, block_number, log_index, reason, skipped_at
from follower_skipped
where $1::bigint is null or chain_id = $1
order by id
limit 1000`;

interface SkippedRow {
  readonly id: string;
  readonly chain_id: string;
  readonly deriver: string;
  readonly step: string;
  readonly block_number: string;
  readonly log_index: number | null;
  readonly reason: string;
  readonly skipped_at: Date;
}

export const follow: readonly Command[] = [
  {
    name: "follow list",
    help: "list the followed chains and their progress",
    positionals: ["[NETWORK]"],
    run: async (context, { positionals: [network] }) => {
      const chainId = network === undefined ? undefined : chainIdNamed(context.config, network);
      const rows = await readChains(await context.database(), chainId);
      return { list: rows.map((row) => shown(context, row)) };
    },
  },
  {
    name: "follow skipped",
    help: "list the first thousand records that could not be derived and were skipped",
    positionals: ["[NETWORK]"],
    run: async (context, { positionals: [network] }) => {
      const chainId = network === undefined ? null : chainIdNamed(context.config, network);
      const rows = await (await context.database()).query<SkippedRow>(skippedSql, [chainId]);
      return {
        list: rows.map(({ id, chain_id, deriver, step, block_number, log_index, reason, skipped_at }) => ({
          id: Number(id),
          network: networkName(context.config, Number(chain_id)),
          deriver,
          step,
          block: Number(block_number),
          log: log_index,
          reason,
          skippedAt: skipped_at.toISOString(),
        })),
      };
    },
  },
  {
    name: "follow reindex",
    help: "derive all records again, starting at a block, and wait until that is done; a host must be running",
    positionals: ["NETWORK"],
    options: { from: { valueName: "BLOCK", help: "the first block" } },
    run: reindex,
  },
];
