/** The owners of tokens and their quantities. They are committed with the blocks that report them, and undone with these blocks. */

import type { Queries } from "../../base/storage/database.ts";
import { saturated } from "../../base/uint256.ts";
import type { ChainTransaction } from "../../chain/follower/derive/deriver.ts";
import { findOrCreateTokens, hasOpenOrder } from "../records/collectibles/ids.ts";
import type { TokenTransfer } from "./token-events.ts";

/** A transfer with its collection and block. */
export interface LocatedTransfer extends TokenTransfer {
  readonly collectionId: string;
  readonly block: number;
  readonly standard: "ERC721" | "ERC1155";
}

const stateSql = `
select id, is_undone, not exists (select from token_read where collectible_id = collectible.id and not is_named) as is_new
from collectible where id = any($1)`;

const holdingsSql = `
select collectible_id, owner, quantity::text as quantity from collectible_owner where collectible_id = any($1)
union
select collectible_id, owner, quantity::text from collectible_owner
join unnest($2::bigint[], $3::text[]) as wanted (collectible_id, owner) using (collectible_id, owner)`;

const deleteOwnersSql = `
delete from collectible_owner using unnest($1::bigint[], $2::text[]) as gone (collectible_id, owner)
where collectible_owner.collectible_id = gone.collectible_id and collectible_owner.owner = gone.owner`;

const storeOwnersSql = `
insert into collectible_owner (collectible_id, owner, quantity)
select * from unnest($1::bigint[], $2::text[], $3::numeric[])
on conflict (collectible_id, owner) do update set quantity = excluded.quantity`;

/** Applies transfers. Returns the ids of tokens that no block has reported before. */
export async function applyTransfers(
  tx: ChainTransaction,
  transfers: readonly LocatedTransfer[],
): Promise<readonly string[]> {
  if (transfers.length === 0) return [];
  const firstTransfers = new Map<string, LocatedTransfer>();
  for (const transfer of transfers)
    if (!firstTransfers.has(keyOf(transfer))) firstTransfers.set(keyOf(transfer), transfer);
  const found = await findOrCreateTokens(tx, [...firstTransfers.values()]);
  const ids = new Map([...firstTransfers.keys()].map((key, index) => [key, found[index] ?? ""]));
  const states = await tx.query<{ id: string; is_new: boolean; is_undone: boolean }>(stateSql, [found]);
  const restored = states.filter((row) => row.is_undone).map(({ id }) => id);
  if (restored.length > 0)
    await tx.query("update collectible set is_undone = false where id = any($1)", [restored]);
  const created = new Set(states.filter((row) => row.is_new).map(({ id }) => id));
  const holdings = new Holdings();
  await holdings.load(tx, transfers, ids);
  for (const [key, { block }] of firstTransfers) {
    const id = ids.get(key) ?? "";
    if (created.has(id)) holdings.undo.push([tx.chainId, block, id, null, null]);
  }
  for (const transfer of transfers) holdings.apply(ids.get(keyOf(transfer)) ?? "", transfer);
  await holdings.write(tx);
  return [...created];
}

function keyOf({ collectionId, tokenId }: LocatedTransfer): string {
  return `${collectionId}/${tokenId}`;
}

type UndoRow = readonly [
  chainId: number,
  block: number,
  collectibleId: string,
  owner: string | null,
  quantity: string | null,
];

/** Holdings of the transferred tokens, in memory until all transfers are applied. */
class Holdings {
  readonly undo: UndoRow[] = [];
  readonly #owners = new Map<string, Map<string, bigint>>();
  readonly #changed = new Map<string, Set<string>>();
  #chainId = 0;

  async load(
    tx: ChainTransaction,
    transfers: readonly LocatedTransfer[],
    ids: ReadonlyMap<string, string>,
  ): Promise<void> {
    this.#chainId = tx.chainId;
    const erc721Ids = new Set<string>();
    const pairs: [string, string][] = [];
    for (const transfer of transfers) {
      const id = ids.get(keyOf(transfer)) ?? "";
      if (transfer.standard === "ERC721") erc721Ids.add(id);
      else for (const owner of [transfer.from, transfer.to]) if (owner !== undefined) pairs.push([id, owner]);
    }
    const rows = await tx.query<{ collectible_id: string; owner: string; quantity: string }>(holdingsSql, [
      [...erc721Ids],
      pairs.map(([id]) => id),
      pairs.map(([, owner]) => owner),
    ]);
    for (const row of rows) this.#ownersOf(row.collectible_id).set(row.owner, BigInt(row.quantity));
  }

  /** A contract may report impossible transfers, so quantities are clamped to 0 and 2^256 - 1. */
  apply(id: string, { standard, block, from, to, quantity }: LocatedTransfer): void {
    if (standard === "ERC721") {
      for (const owner of [...this.#ownersOf(id).keys()]) if (owner !== to) this.#set(block, id, owner, 0n);
      if (to !== undefined) this.#set(block, id, to, 1n);
      return;
    }
    if (from !== undefined) {
      const before = this.#quantityOf(id, from);
      this.#set(block, id, from, before > quantity ? before - quantity : 0n);
    }
    if (to !== undefined) this.#set(block, id, to, saturated(this.#quantityOf(id, to) + quantity));
  }

  async write(tx: ChainTransaction): Promise<void> {
    if (this.undo.length > 0)
      await tx.copy(
        "token_undo",
        ["chain_id", "block_number", "collectible_id", "owner", "quantity"],
        this.undo,
      );
    const changed = [...this.#changed].flatMap(([id, owners]) =>
      [...owners].map((owner) => ({ id, owner, quantity: this.#quantityOf(id, owner).toString() })),
    );
    await storeOwners(tx, changed);
  }

  #set(block: number, id: string, owner: string, quantity: bigint): void {
    const before = this.#quantityOf(id, owner);
    if (before === quantity) return;
    this.undo.push([this.#chainId, block, id, owner, before.toString()]);
    this.#ownersOf(id).set(owner, quantity);
    const changed = this.#changed.get(id) ?? new Set();
    this.#changed.set(id, changed.add(owner));
  }

  #quantityOf(id: string, owner: string): bigint {
    return this.#ownersOf(id).get(owner) ?? 0n;
  }

  #ownersOf(id: string): Map<string, bigint> {
    let owners = this.#owners.get(id);
    if (owners === undefined) {
      owners = new Map();
      this.#owners.set(id, owners);
    }
    return owners;
  }
}

interface Holding {
  readonly id: string;
  readonly owner: string;
  readonly quantity: string;
}

async function storeOwners(tx: ChainTransaction, holdings: readonly Holding[]): Promise<void> {
  const emptied = holdings.filter(({ quantity }) => quantity === "0");
  const held = holdings.filter(({ quantity }) => quantity !== "0");
  if (emptied.length > 0)
    await tx.query(deleteOwnersSql, [emptied.map(({ id }) => id), emptied.map(({ owner }) => owner)]);
  if (held.length > 0)
    await tx.query(storeOwnersSql, [
      held.map(({ id }) => id),
      held.map(({ owner }) => owner),
      held.map(({ quantity }) => quantity),
    ]);
}

const undoSql = `
with gone as (
  delete from token_undo where chain_id = $1 and block_number >= $2 returning *
)
select distinct on (collectible_id, owner) collectible_id, owner, quantity::text as quantity
from gone order by collectible_id, owner, id`;

/** The tokens themselves stay, because orders may refer to them. */
const clearMetadataSql = `
update collectible set name = '', description = null, image = null, video = null, audio = null, image_data = null, external_url = null,
  background_color = null, animation_url = null, decimals = null, attributes = '[]', properties = null, status = 'NOT_AVAILABLE',
  origin = null, metadata_updated_at = null
where id = any($1) and origin = 'chain'`;

const markUndoneSql = "update collectible set is_undone = true where id = any($1)";

/**
 * Queues the tokens that have open orders. `is_named` marks tokens that only orders have named so far, and that no block has
 * reported.
 */
const requeueTokensOfOrdersSql = `
update token_read set wish = wish + 1, wish_block = null, due_at = now(), failures = 0, is_named = true
where collectible_id = any($1) and ${hasOpenOrder("token_read.collectible_id")}`;

const notImportedSql = "select id from collectible where id = any($1) and origin is distinct from 'import'";

export async function undoTransfers(tx: ChainTransaction, fromBlock: number): Promise<void> {
  const rows = await tx.query<{ collectible_id: string; owner: string | null; quantity: string | null }>(
    undoSql,
    [tx.chainId, fromBlock],
  );
  const before = rows.flatMap(({ collectible_id: id, owner, quantity }) =>
    owner === null || quantity === null ? [] : [{ id, owner, quantity }],
  );
  await storeOwners(tx, before);
  const created = rows.filter(({ owner }) => owner === null).map(({ collectible_id }) => collectible_id);
  if (created.length > 0) await undoCreation(tx, created);
}

/** Undoes the creation of tokens, except imported ones. */
async function undoCreation(tx: Queries, created: readonly string[]): Promise<void> {
  const ids = (await tx.query<{ id: string }>(notImportedSql, [created])).map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.query(clearMetadataSql, [ids]);
  await tx.query(markUndoneSql, [ids]);
  await tx.query("delete from asset where collectible_id = any($1)", [ids]);
  await tx.query(requeueTokensOfOrdersSql, [ids]);
  await tx.query("delete from token_read where collectible_id = any($1) and not is_named", [ids]);
}
