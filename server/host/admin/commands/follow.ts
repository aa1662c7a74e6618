import { setTimeout as sleep } from "node:timers/promises";
import type { Queries } from "../../../base/storage/database.ts";
import { requestRewind } from "../../../chain/follower/checkpoint.ts";
import { type HealthColumns, healthColumns } from "../../../chain/follower/health-rows.ts";
import {
  AdminFault,
  type AdminPorts,
  type AdminStreams,
  argument,
  type Command,
  firstOf,
  type Row,
} from "../command.ts";
import { chainIdNamed, networkName } from "../networks.ts";

/** A chain that could never be followed has no cursor. */
const chainsSql = `
select chain_id, first_block, block_number, greatest(cursor.head, health.head) as head, stopped, rewind_to, updated_at, catch_up,
  (select count(*)::int from follower_parked where follower_parked.chain_id = cursor.chain_id) as parked,
  ${healthColumns}
from follower_cursor cursor full join follower_health health using (chain_id)
where $1::bigint is null or chain_id = $1
order by chain_id`;

interface ChainRow extends HealthColumns {
  readonly chain_id: string;
  readonly first_block: string | null;
  readonly block_number: string | null;
  readonly head: string | null;
  readonly stopped: string | null;
  readonly rewind_to: string | null;
  readonly updated_at: Date | null;
  readonly catch_up: string | null;
  readonly parked: number;
}

const parkedSql = `
select id, chain_id, deriver, step, block_number, log_index, reason, parked_at
from follower_parked
where $1::bigint is null or chain_id = $1
order by id
limit 1000`;

interface ParkedRow {
  readonly id: string;
  readonly chain_id: string;
  readonly deriver: string;
  readonly step: string;
  readonly block_number: string;
  readonly log_index: number | null;
  readonly reason: string;
  readonly parked_at: Date;
}

export const follow: readonly Command[] = [
  {
    name: "follow list",
    help: "list the followed chains and their progress",
    positionals: ["[NETWORK]"],
    run: async (ports, { positionals: [network] }) => {
      const chainId = network === undefined ? null : chainIdNamed(ports.config, network);
      const rows = await (await ports.database()).query<ChainRow>(chainsSql, [chainId]);
      return { list: rows.map((row) => shown(ports, row)) };
    },
  },
  {
    name: "follow parked",
    help: "list the first thousand records that could not be derived and were skipped",
    positionals: ["[NETWORK]"],
    run: async (ports, { positionals: [network] }) => {
      const chainId = network === undefined ? null : chainIdNamed(ports.config, network);
      const rows = await (await ports.database()).query<ParkedRow>(parkedSql, [chainId]);
      return {
        list: rows.map(({ id, chain_id, deriver, step, block_number, log_index, reason, parked_at }) => ({
          id: Number(id),
          network: networkName(ports.config, Number(chain_id)),
          deriver,
          step,
          block: Number(block_number),
          log: log_index,
          reason,
          parkedAt: parked_at.toISOString(),
        })),
      };
    },
  },
  {
    name: "follow reindex",
    help: "derive all records again, starting at a block, and wait until that is done; a host must be running",
    positionals: ["NETWORK"],
    options: { from: { valueName: "BLOCK", help: "the first block" } },
    run: async (ports, input) => {
      const network = argument(input, 0);
      const chainId = chainIdNamed(ports.config, network);
      const from = firstOf(input, "from") ?? "";
      if (!/^[0-9]{1,15}$/.test(from)) throw new AdminFault("--from: expected a block number");
      const queries = await ports.database();
      const [before] = await queries.query<ChainRow>(chainsSql, [chainId]);
      if (before === undefined) throw new AdminFault(`${network} is not followed; see: platform follow list`);
      if (Number(from) > Number(before.block_number) + 1)
        throw new AdminFault(`--from: ${network} is only followed up to block ${before.block_number}`);
      await requestRewind(queries, chainId, Number(from));
      const range = { from: Number(from), to: Number(before.block_number) };
      const row = await untilDone(queries, chainId, range, ports.streams.stderr);
      return { record: shown(ports, row) };
    },
  },
];

/** Longest time without progress, in milliseconds: longer than another replica needs to take over. */
const idleMaxMs = 30_000;

async function untilDone(
  queries: Queries,
  chainId: number,
  { from, to }: { readonly from: number; readonly to: number },
  terminal: AdminStreams["stderr"],
): Promise<ChainRow> {
  let moved = performance.now();
  let last = "";
  for (;;) {
    const [row] = await queries.query<ChainRow>(chainsSql, [chainId]);
    if (row === undefined) throw new AdminFault("the chain is no longer followed");
    const at = row.rewind_to === null ? Number(row.block_number) : from - 1;
    if (terminal.isTTY === true) terminal.write(progressText(at - from + 1, to - from + 1));
    if (row.rewind_to === null && (at >= to || row.stopped !== null)) {
      if (terminal.isTTY === true) terminal.write("\n");
      return row;
    }
    const state = `${row.rewind_to} ${row.block_number}`;
    if (state !== last) moved = performance.now();
    last = state;
    if (performance.now() - moved > idleMaxMs)
      throw new AdminFault("no running host follows the chain; the work starts when one does");
    await sleep(200);
  }
}

/** For terminals only: a log file needs no progress bar. */
function progressText(done: number, all: number): string {
  const share = all <= 0 ? 1 : Math.min(1, Math.max(0, done / all));
  const bar = "#".repeat(Math.round(share * 30)).padEnd(30, ".");
  return `\r[${bar}] ${Math.floor(share * 100)} %  ${Math.max(0, done)} of ${all} blocks`;
}

function shown(ports: AdminPorts, row: ChainRow): Row {
  const block = numberOrNull(row.block_number);
  const head = numberOrNull(row.head);
  return {
    network: networkName(ports.config, Number(row.chain_id)),
    chainId: Number(row.chain_id),
    from: numberOrNull(row.first_block),
    block,
    behind: head === null || block === null ? null : Math.max(0, head - block),
    catchUp: row.catch_up,
    parked: row.parked,
    reindexFrom: numberOrNull(row.rewind_to),
    stopped: row.stopped,
    failingSince: row.failing_since?.toISOString() ?? null,
    failure: row.failure,
    updatedAt: row.updated_at?.toISOString() ?? null,
  };
}

function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text);
}
