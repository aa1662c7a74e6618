/**
 * The facts on which the availability of orders depends. A fact is a holding (how much of a token or currency a maker has, and lets a
 * spender take) or a royalty. The table records which facts are stale, which process reads them, and their values.
 */

import type { Queries, Transaction } from "../../../base/storage/database.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";
import { isOpen, lockChain, updateAvailabilityByFacts } from "./availability-sql.ts";
import type { StaleFacts } from "./stale-facts.ts";

/** Marks facts as stale since this block. Requires the chain lock. */
export async function markStale(
  tx: Queries,
  chainId: number,
  block: number,
  marks: readonly StaleFacts[],
): Promise<void> {
  const unique = [...new Map(marks.map((mark) => [keyOf(mark), mark])).values()];
  for (const [sql, selected] of [
    [staleHoldersSql, unique.filter(({ holder }) => holder !== undefined)],
    [staleOthersSql, unique.filter(({ holder }) => holder === undefined)],
  ] as const) {
    if (selected.length === 0) continue;
    await tx.query(sql, [
      chainId,
      block,
      selected.map(({ kind }) => kind),
      selected.map(({ contract }) => contract),
      selected.map(({ tokenId }) => (tokenId === undefined ? null : String(tokenId))),
      selected.map(({ holder }) => holder ?? null),
      selected.map(({ spender }) => spender ?? null),
    ]);
  }
}

function keyOf({ kind, contract, tokenId, holder, spender }: StaleFacts): string {
  return `${kind} ${contract} ${tokenId} ${holder} ${spender}`;
}

const staleSql = (holder: string): string => `
    update market_fact fact set wanted_block = $2
    from unnest($3::market_fact_kind[], $4::text[], $5::numeric[], $6::text[], $7::text[]) as reported (kind, contract, token_id, holder, spender)
    where fact.chain_id = $1 and fact.contract = reported.contract and fact.kind = reported.kind and ${holder}
      and (reported.token_id is null or fact.token_id = reported.token_id) and (reported.spender is null or fact.spender = reported.spender)
      and fact.wanted_block < $2`;

const staleHoldersSql = { name: "market-doubt-holders", text: staleSql("fact.holder = reported.holder") };
const staleOthersSql = { name: "market-doubt", text: staleSql("reported.holder is null") };

/** Marks all facts of a chain as stale, or only those of contracts that were added after a revision. Requires the chain lock. */
export async function markAllStale(
  tx: Queries,
  chainId: number,
  block: number,
  afterRevision = -1,
): Promise<void> {
  await tx.query(staleAllSql, [chainId, block, afterRevision]);
}

const staleAllSql = {
  name: "market-doubt-all",
  text: `
    update market_fact fact set wanted_block = $2
    where chain_id = $1 and wanted_block < $2
      and ($3 < 0 or contract in (select address from market_contract where chain_id = $1 and revision > $3))`,
};

/** Discards values that were read at this block or later. Requires the chain lock. */
export async function forgetReadings(tx: Queries, chainId: number, block: number): Promise<void> {
  await tx.query(forgetSql, [chainId, block]);
}

const forgetSql = {
  name: "market-facts-forget",
  text: `
    update market_fact set read_block = case when read_block < $2 then read_block end, wanted_block = least(wanted_block, $2 - 1)
    where chain_id = $1 and (read_block >= $2 or wanted_block >= $2)`,
};

export interface Claim {
  readonly id: string;
  readonly kind: "holding" | "royalty";
  readonly contract: Hex;
  /** Undefined if the contract is a currency. */
  readonly tokenId: bigint | undefined;
  /** Set for holdings only. */
  readonly holder: Hex | undefined;
  readonly spender: Hex;
  /** Whether an open order depends on the fact. */
  readonly isNeeded: boolean;
}

/** Claimed facts, and the block at which to read them: the newest derived one. */
export interface Claims {
  readonly block: { readonly number: number; readonly hash: Hex };
  readonly facts: readonly Claim[];
}

export interface ClaimOptions {
  readonly limit: number;
  /** Age at which facts are read again although they are not stale: some tokens change without an event. Undefined: no rereads. */
  readonly rereadAfterSeconds: number | undefined;
}

/** How many blocks the follower may be behind the head. Nodes discard older contract state. */
export const maxBlocksBehind = 64;
/** Lease of a claim, in seconds: afterwards another process may claim the fact. */
const leaseSeconds = 10;

export async function claimFacts(
  queries: Queries,
  chainId: number,
  { limit, rereadAfterSeconds }: ClaimOptions,
): Promise<Claims | undefined> {
  const rows = await queries.query<ClaimRow>(claimSql, [
    chainId,
    limit,
    rereadAfterSeconds ?? null,
    maxBlocksBehind,
    leaseSeconds,
  ]);
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    block: { number: Number(first.block_number), hash: `0x${first.block_hash.toString("hex")}` },
    facts: rows.map(({ id, kind, contract, token_id, holder, spender, is_needed }) => ({
      id,
      kind,
      contract,
      tokenId: token_id === null ? undefined : BigInt(token_id),
      holder: holder ?? undefined,
      spender,
      isNeeded: is_needed,
    })),
  };
}

interface ClaimRow {
  readonly id: string;
  readonly kind: "holding" | "royalty";
  readonly contract: Hex;
  readonly token_id: string | null;
  readonly holder: Hex | null;
  readonly spender: Hex;
  readonly is_needed: boolean;
  readonly block_number: string;
  readonly block_hash: Buffer;
}

const isNeeded = (column: string): string => `exists (
          select from market_order o where o.${column} = fact.id and o.${column} is not null and ${isOpen("o")} and o.valid_until > now())`;

/** Facts that were never read come first, then those with the oldest value, so that no contract can starve the others. */
const claimSql = {
  name: "market-facts-claim",
  text: `
    with derived as materialized (
      select block_number, block_hash from follower_cursor
      where chain_id = $1 and stopped is null and block_hash is not null and head - block_number <= $4
    ), due as (
      select fact.id from market_fact fact
      where chain_id = $1 and is_due and wanted_block <= (select block_number from derived) and (asked_until is null or asked_until < now())
      order by read_at nulls first limit $2 for update skip locked
    ), old as (
      select fact.id from market_fact fact
      where chain_id = $1 and not is_due and read_at < now() - make_interval(secs => $3) and read_block < (select block_number from derived)
        and (asked_until is null or asked_until < now())
      order by read_at limit $2 - (select count(*) from due) for update skip locked
    )
    update market_fact fact set asked_until = now() + make_interval(secs => $5)
    from (select id from due union all select id from old) mine, derived
    where fact.id = mine.id
    returning fact.id, kind, contract, token_id::text, holder, spender, derived.block_number, derived.block_hash,
      case kind when 'holding' then ${isNeeded("holding_id")} else ${isNeeded("royalty_id")} end as is_needed`,
};

export interface FactReading {
  readonly id: string;
  /** Undefined if the contract did not report an amount; `reason` then tells why. */
  readonly amount: bigint | undefined;
  readonly recipient?: string | undefined;
  readonly reason?: string | undefined;
}

/**
 * Writes the values and updates the orders that depend on them, unless the block has been reorganized. Deletes facts that no open order
 * needs.
 */
export async function writeFactReadings(
  tx: Transaction,
  chainId: number,
  { block, facts }: Claims,
  readings: readonly FactReading[],
): Promise<void> {
  await lockChain(tx, chainId);
  const hash = Buffer.from(block.hash.slice(2), "hex");
  const blocks = await tx.query(blockExistsSql, [chainId, hash]);
  if (blocks.length === 0) return releaseFacts(tx, facts);
  const unneeded = facts.filter((fact) => !fact.isNeeded).map(({ id }) => id);
  if (unneeded.length > 0) await tx.query(dropSql, [unneeded]);
  const written = await tx.query<{ readonly id: string; readonly is_changed: boolean }>(writeSql, [
    block.number,
    readings.map(({ id }) => id),
    readings.map(({ amount }) => (amount === undefined ? null : String(amount))),
    readings.map(({ recipient }) => recipient ?? null),
    readings.map(({ reason }) => reason ?? null),
  ]);
  await updateAvailabilityByFacts(
    tx,
    chainId,
    written.filter(({ is_changed }) => is_changed).map(({ id }) => id),
  );
}

const blockExistsSql = {
  name: "market-block-is-there",
  text: `
    select from follower_cursor cursor
    where chain_id = $1 and (block_hash = $2
      or exists (select from follower_block block where block.chain_id = $1 and block.hash = $2))`,
};

const dropSql = {
  name: "market-facts-drop",
  text: `
    delete from market_fact fact
    where id = any($1::bigint[]) and not case kind when 'holding' then ${isNeeded("holding_id")} else ${isNeeded("royalty_id")} end`,
};

const writeSql = {
  name: "market-facts-write",
  text: `
    update market_fact fact set amount = reported.amount, recipient = reported.recipient, reason = reported.reason, read_block = $1, read_at = now(),
      asked_until = null
    from unnest($2::bigint[], $3::numeric[], $4::text[], $5::text[]) as reported (id, amount, recipient, reason)
    join market_fact before on before.id = reported.id
    where fact.id = reported.id and (fact.read_block is null or fact.read_block <= $1)
    returning fact.id,
      (before.amount, before.recipient) is distinct from (reported.amount, reported.recipient::address) as is_changed`,
};

/** Releases claims that were not read, so that another process may claim the facts. */
export async function releaseFacts(queries: Queries, facts: readonly Claim[]): Promise<void> {
  await queries.query(releaseSql, [facts.map(({ id }) => id)]);
}

const releaseSql = {
  name: "market-facts-release",
  text: "update market_fact set asked_until = null where id = any($1::bigint[])",
};
