import { saturated } from "../../base/uint256.ts";
/** Who holds which token, and how many of it: written with the blocks that say so, and undone with them. */

import type { Queries } from "../../base/storage/database.ts";
import type { ChainTransaction } from "../../chain/follower/derive/deriver.ts";
import { isNamed } from "../records/collectibles/named-tokens.ts";
import { tokenIds } from "../records/collectibles/token-ids.ts";
import type { Move } from "./token-events.ts";

/** A move, with where and when it was made. */
export interface PlacedMove extends Move {
  readonly collectionId: string;
  readonly block: number;
  readonly standard: "ERC721" | "ERC1155";
}

const stateSql = `
select id, is_undone, not exists (select from token_read where collectible_id = collectible.id and not is_named) as is_new
from collectible where id = any($1)`;

const heldSql = `
select collectible_id, owner, quantity::text as quantity from collectible_owner where collectible_id = any($1)
union
select collectible_id, owner, quantity::text from collectible_owner
join unnest($2::bigint[], $3::text[]) as wanted (collectible_id, owner) using (collectible_id, owner)`;

const goneSql = `
delete from collectible_owner using unnest($1::bigint[], $2::text[]) as gone (collectible_id, owner)
where collectible_owner.collectible_id = gone.collectible_id and collectible_owner.owner = gone.owner`;

const keepSql = `
insert into collectible_owner (collectible_id, owner, quantity)
select * from unnest($1::bigint[], $2::text[], $3::numeric[])
on conflict (collectible_id, owner) do update set quantity = excluded.quantity`;

/** Answers the ids of the tokens that no block has told of before. */
export async function applyMoves(
  tx: ChainTransaction,
  moves: readonly PlacedMove[],
): Promise<readonly string[]> {
  if (moves.length === 0) return [];
  const firstMoves = new Map<string, PlacedMove>();
  for (const move of moves) if (!firstMoves.has(keyOf(move))) firstMoves.set(keyOf(move), move);
  const found = await tokenIds(tx, [...firstMoves.values()]);
  const ids = new Map([...firstMoves.keys()].map((key, index) => [key, found[index] ?? ""]));
  const states = await tx.query<{ id: string; is_new: boolean; is_undone: boolean }>(stateSql, [found]);
  const back = states.filter((row) => row.is_undone).map(({ id }) => id);
  if (back.length > 0) await tx.query("update collectible set is_undone = false where id = any($1)", [back]);
  const made = new Set(states.filter((row) => row.is_new).map(({ id }) => id));
  const holdings = new Holdings();
  await holdings.load(tx, moves, ids);
  for (const [key, { block }] of firstMoves) {
    const id = ids.get(key) ?? "";
    if (made.has(id)) holdings.undo.push([tx.chainId, block, id, null, null]);
  }
  for (const move of moves) holdings.move(ids.get(keyOf(move)) ?? "", move);
  await holdings.write(tx);
  return [...made];
}

function keyOf({ collectionId, tokenId }: PlacedMove): string {
  return `${collectionId}/${tokenId}`;
}

type UndoRow = readonly [
  chainId: number,
  block: number,
  collectibleId: string,
  owner: string | null,
  quantity: string | null,
];

/** The tokens of some moves, in memory until all are made. */
class Holdings {
  readonly undo: UndoRow[] = [];
  readonly #owners = new Map<string, Map<string, bigint>>();
  readonly #changed = new Map<string, Set<string>>();
  #chainId = 0;

  async load(
    tx: ChainTransaction,
    moves: readonly PlacedMove[],
    ids: ReadonlyMap<string, string>,
  ): Promise<void> {
    this.#chainId = tx.chainId;
    const single = new Set<string>();
    const pairs: [string, string][] = [];
    for (const move of moves) {
      const id = ids.get(keyOf(move)) ?? "";
      if (move.standard === "ERC721") single.add(id);
      else for (const owner of [move.from, move.to]) if (owner !== undefined) pairs.push([id, owner]);
    }
    const rows = await tx.query<{ collectible_id: string; owner: string; quantity: string }>(heldSql, [
      [...single],
      pairs.map(([id]) => id),
      pairs.map(([, owner]) => owner),
    ]);
    for (const row of rows) this.#ownersOf(row.collectible_id).set(row.owner, BigInt(row.quantity));
  }

  /** A contract may tell of moves that cannot be: nobody has less than nothing, or more than there can be. */
  move(id: string, { standard, block, from, to, quantity }: PlacedMove): void {
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
      [...owners].map((owner) => ({ id, owner, quantity: this.#quantityOf(id, owner) })),
    );
    const gone = changed.filter(({ quantity }) => quantity === 0n);
    const kept = changed.filter(({ quantity }) => quantity > 0n);
    if (gone.length > 0) await tx.query(goneSql, [gone.map(({ id }) => id), gone.map(({ owner }) => owner)]);
    if (kept.length > 0)
      await tx.query(keepSql, [
        kept.map(({ id }) => id),
        kept.map(({ owner }) => owner),
        kept.map(({ quantity }) => quantity.toString()),
      ]);
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

const undoSql = `
with gone as (
  delete from token_undo where chain_id = $1 and block_number >= $2 returning *
)
select distinct on (collectible_id, owner) collectible_id, owner, quantity::text as quantity
from gone order by collectible_id, owner, id`;

/** Tokens themselves stay, because orders may name them by now. */
const blankSql = `
update collectible set name = '', description = null, image = null, video = null, audio = null, image_data = null, external_url = null,
  background_color = null, animation_url = null, decimals = null, attributes = '[]', properties = null, status = 'NOT_AVAILABLE',
  origin = null, metadata_updated_at = null
where id = any($1) and origin = 'chain'`;

const undoneSql = "update collectible set is_undone = true where id = any($1)";

/** What orders name is read anew, as if no block had told of it. */
const wishForNamedSql = `
update token_read set wish = wish + 1, wish_block = null, due_at = now(), failures = 0, is_named = true
where collectible_id = any($1) and ${isNamed("token_read.collectible_id")}`;

const unimportedSql = "select id from collectible where id = any($1) and origin is distinct from 'import'";

/** Nobody has moved anything since before this block. */
export async function undoMoves(tx: ChainTransaction, fromBlock: number): Promise<void> {
  const rows = await tx.query<{ collectible_id: string; owner: string | null; quantity: string | null }>(
    undoSql,
    [tx.chainId, fromBlock],
  );
  const before = rows.flatMap(({ collectible_id: id, owner, quantity }) =>
    owner === null || quantity === null ? [] : [{ id, owner, quantity }],
  );
  const none = before.filter(({ quantity }) => quantity === "0");
  const some = before.filter(({ quantity }) => quantity !== "0");
  if (none.length > 0) await tx.query(goneSql, [none.map(({ id }) => id), none.map(({ owner }) => owner)]);
  if (some.length > 0)
    await tx.query(keepSql, [
      some.map(({ id }) => id),
      some.map(({ owner }) => owner),
      some.map(({ quantity }) => quantity),
    ]);
  const made = rows.filter(({ owner }) => owner === null).map(({ collectible_id }) => collectible_id);
  if (made.length > 0) await forget(tx, made);
}

/** As if no block had made them. */
async function forget(tx: Queries, made: readonly string[]): Promise<void> {
  const ids = (await tx.query<{ id: string }>(unimportedSql, [made])).map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.query(blankSql, [ids]);
  await tx.query(undoneSql, [ids]);
  await tx.query("delete from asset where collectible_id = any($1)", [ids]);
  await tx.query(wishForNamedSql, [ids]);
  await tx.query("delete from token_read where collectible_id = any($1) and not is_named", [ids]);
}
