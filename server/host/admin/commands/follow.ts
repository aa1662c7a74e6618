import { setTimeout as sleep } from "node:timers/promises";
import type { Queries } from "../../../base/storage/database.ts";
import { requestRewind } from "../../../chain/follower/checkpoint.ts";
import { type HealthColumns, healthColumns } from "../../../chain/follower/health.ts";
import {
  type AdminContext,
  AdminFault,
  type AdminStreams,
  argument,
  type Command,
  chainIdNamed,
  firstOf,
  type Input,
  networkName,
  type Output,
  type Row,
  UsageFault,
} from "../command.ts";

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

/* The followed chains, as the operator sees them. */

/** A chain that could never be followed has no cursor. */
const chainsSql = `
select chain_id, first_block, block_number, greatest(cursor.head, health.head) as head, stopped, rewind_to, updated_at,
  (select count(*)::int from follower_skipped where follower_skipped.chain_id = cursor.chain_id) as skipped,
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
  readonly skipped: number;
}

/** Returns all chains without `chainId`. */
function readChains(queries: Queries, chainId?: number): Promise<readonly ChainRow[]> {
  return queries.query<ChainRow>(chainsSql, [chainId ?? null]);
}

function shown(context: AdminContext, row: ChainRow): Row {
  const committed = numberOrNull(row.block_number);
  // Before the first block of a chain, it is -1.
  const block = committed === -1 ? null : committed;
  const head = numberOrNull(row.head);
  return {
    network: networkName(context.config, Number(row.chain_id)),
    chainId: Number(row.chain_id),
    from: numberOrNull(row.first_block),
    block,
    behind: head === null || committed === null ? null : Math.max(0, head - committed),
    skipped: row.skipped,
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

/* `platform follow reindex`: requests the work from the host that follows the chain, and waits for its end. */

/** A shorter failure often ends by itself, in seconds. */
const maxFailureSeconds = 30;

const skippedCountSql = `
select count(*)::int as skipped from follower_skipped where chain_id = $1 and block_number between $2 and $3`;

interface Work {
  readonly network: string;
  readonly chainId: number;
  readonly from: number;
  readonly to: number;
}

async function reindex(context: AdminContext, input: Input): Promise<Output> {
  const chainId = chainIdNamed(context.config, argument(input, 0));
  const network = networkName(context.config, chainId);
  const queries = await context.database();
  const [chain] = await readChains(queries, chainId);
  const from = firstBlock(network, chain, firstOf(input, "from"));
  const work = { network, chainId, from, to: Number(chain?.block_number) };
  const startedAt = performance.now();
  await requestRewind(queries, chainId, from);
  // Without a host, the error below says when the work starts.
  if (chain?.is_silent !== true) announce(work, context.streams.stderr);
  const row = await untilDone(queries, work, context.streams.stderr);
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const reindexed = { reindexedFrom: work.from, reindexedBlocks: work.to - from + 1, seconds };
  return {
    record: { ...shown(context, row), ...reindexed },
    note: noteOf(work, row, seconds) + (await skippedText(queries, work)),
  };
}

/** Reads `--from`. Throws if the chain cannot be derived again from there. */
function firstBlock(network: string, chain: ChainRow | undefined, text: string | undefined): number {
  if (chain === undefined)
    throw new AdminFault(`network "${network}" is not followed; see: platform follow list`);
  const { first_block: first, block_number: last, failure } = chain;
  if (first === null)
    throw new AdminFault(
      `no block of network "${network}" was followed yet; ${failure ?? "try again later"}`,
    );
  if (text === undefined)
    throw new UsageFault(
      `--from is missing: the first block to derive again; ${network} is followed from block ${first} on, and a contract has no records before the block of its deployment`,
    );
  if (!/^[0-9]{1,15}$/.test(text)) throw new UsageFault(`--from: expected a block number, found "${text}"`);
  if (Number(text) > Number(last) + 1)
    throw new AdminFault(`--from: ${network} is only followed up to block ${last}, found "${text}"`);
  return Number(text);
}

function announce({ network, from, to }: Work, terminal: AdminStreams["stderr"]): void {
  if (terminal.isTTY !== true && from <= to)
    terminal.write(
      `platform: blocks ${from} to ${to} of ${network} will be derived again; to watch: platform follow list ${network}\n`,
    );
}

async function untilDone(queries: Queries, work: Work, terminal: AdminStreams["stderr"]): Promise<ChainRow> {
  const { network, chainId, from, to } = work;
  const isTerminal = terminal.isTTY === true;
  for (;;) {
    const [row] = await readChains(queries, chainId);
    if (row === undefined) throw new AdminFault(`network "${network}" is no longer followed`);
    const at = row.rewind_to === null ? Number(row.block_number) : from - 1;
    if (isTerminal) terminal.write(progressText(at - from + 1, to - from + 1));
    // While the newest block is unknown, the host has not reached a node yet.
    const isDone = row.rewind_to === null && at >= to && row.head !== null;
    const problem = isDone ? undefined : problemOf(work, row);
    if (isTerminal && (isDone || problem !== undefined)) terminal.write("\n");
    if (problem !== undefined) throw new AdminFault(problem);
    if (isDone) return row;
    await sleep(200);
  }
}

function problemOf({ network, from }: Work, row: ChainRow): string | undefined {
  const { rewind_to, block_number, stopped, is_silent, failing_seconds, failing_since, failure } = row;
  if (rewind_to === null && stopped !== null)
    return `${network} is stopped at block ${block_number}: ${stopped}`;
  if (is_silent) return `no running host follows ${network}; the work starts at block ${from} when one does`;
  if ((failing_seconds ?? 0) <= maxFailureSeconds) return undefined;
  return `the host that follows ${network} has failed since ${failing_since?.toISOString()}: ${failure}; the work continues when the cause is gone; to watch: platform follow list ${network}`;
}

function noteOf({ network, from, to }: Work, { head, block_number }: ChainRow, seconds: number): string {
  const blocks = to - from + 1;
  const done =
    blocks === 0
      ? `There was no block of ${network} to derive again.`
      : `Derived ${blocks} blocks of ${network} again, ${from} to ${to}, in ${seconds} s.`;
  const behind = Number(head) - Number(block_number);
  return `${done} ${behind > 0 ? `The host now reads ${behind} newer blocks.` : `${network} is up to date.`}`;
}

/** A reindexing removes the skipped records of its blocks first, so those found after it are its own. */
async function skippedText(queries: Queries, { chainId, from, to }: Work): Promise<string> {
  const [row] = await queries.query<{ readonly skipped: number }>(skippedCountSql, [chainId, from, to]);
  const count = row?.skipped ?? 0;
  if (count === 0) return "";
  return ` ${count} ${count === 1 ? "record" : "records"} could not be derived; see: platform follow skipped`;
}

/** For terminals only: a log file needs no progress bar. */
function progressText(done: number, all: number): string {
  const share = all <= 0 ? 1 : Math.min(1, Math.max(0, done / all));
  const bar = "#".repeat(Math.round(share * 30)).padEnd(30, ".");
  return `\r[${bar}] ${Math.floor(share * 100)} %  ${Math.max(0, done)} of ${all} blocks`;
}
