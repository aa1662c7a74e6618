import { type CopyValue as Cell, copyCells } from "../../../base/storage/copy.ts";
import type { Transaction } from "../../../base/storage/database.ts";
import { namedTokens } from "../../records/collectibles/named-tokens.ts";
import { collectionIds } from "../../records/collections/collection-ids.ts";
import { knownOrders } from "../../records/orders/known-orders.ts";
import type { AddNew, StagedRow } from "../kind.ts";

/**
 * Orders that nobody knows are copied straight to their table: the database does a quarter less than where all are staged and merged.
 * The collections and tokens that any order is the first to name are made. If somebody else makes one of the orders at this moment,
 * the batch is merged anew, and finds it.
 */
export const newOrders: AddNew = {
  head: 9,
  async add(tx, columns, rows) {
    const orders = rows.map(orderOf);
    await findCollections(tx, orders);
    await findTokens(tx, orders);
    const known = await knownOrders(tx, orders);
    const [{ now } = { now: new Date() }] = await tx.query<{ readonly now: Date }>("select now() as now");
    const added = rows.length - known.size;
    if (added > 0) {
      const names = ["collection_id", "collectible_id", ...columns.slice(ofOthers)];
      await tx.copy("market_order", names, linesOf(orders, known, now));
    }
    return { added, known: rows.filter((_, place) => known.has(place)) };
  },
};

/** Cells that name a chain, a collection and a token, in whose place their ids are copied. */
const ofOthers = 3;

interface Order {
  readonly row: StagedRow;
  readonly chainId: number;
  readonly address: string;
  readonly tokenId: string | null;
  readonly status: Cell;
  readonly validUntil: Cell;
  readonly createdAt: Cell;
  readonly updatedAt: Cell;
  readonly orderId: string;
  readonly marketplace: string;
  collectionId: string;
  collectibleId: string | null;
}

function orderOf(row: StagedRow): Order {
  const [chainId, address, tokenId, status, validUntil, createdAt, updatedAt, orderId, marketplace] =
    row.head;
  return {
    row,
    chainId: Number(chainId),
    address: String(address),
    tokenId: tokenId === null ? null : String(tokenId),
    status: status ?? null,
    validUntil: validUntil ?? null,
    createdAt: createdAt ?? null,
    updatedAt: updatedAt ?? null,
    orderId: String(orderId),
    marketplace: String(marketplace),
    collectionId: "",
    collectibleId: null,
  };
}

async function findCollections(tx: Transaction, orders: readonly Order[]): Promise<void> {
  for (const chainId of new Set(orders.map((order) => order.chainId))) {
    const ofChain = orders.filter((order) => order.chainId === chainId);
    const ids = await collectionIds(
      tx,
      chainId,
      ofChain.map(({ address }) => address),
    );
    for (const order of ofChain) order.collectionId = ids.get(order.address) ?? "";
  }
}

async function findTokens(tx: Transaction, orders: readonly Order[]): Promise<void> {
  const naming = orders.filter(({ tokenId }) => tokenId !== null);
  const ids = await namedTokens(
    tx,
    naming.map(({ collectionId, tokenId }) => ({ collectionId, tokenId: tokenId ?? "" })),
  );
  for (const [place, order] of naming.entries()) order.collectibleId = ids[place] ?? null;
}

function* linesOf(orders: readonly Order[], known: ReadonlySet<number>, now: Date): Iterable<string> {
  const moment = now.toISOString();
  for (const [place, order] of orders.entries()) {
    if (known.has(place)) continue;
    const { collectionId, collectibleId, createdAt, updatedAt, orderId, marketplace } = order;
    const cells = [collectionId, collectibleId, statusAt(order, now), order.validUntil];
    cells.push(createdAt ?? moment, updatedAt ?? moment, orderId, marketplace);
    yield `${copyCells(cells)}\t${order.row.rest}\n`;
  }
}

/** An order whose time is up is expired, whether that was noted already or not. */
function statusAt({ status, validUntil }: Order, now: Date): Cell {
  const isLive = status === "active" || status === "inactive";
  return isLive && Date.parse(String(validUntil)) <= now.getTime() ? "expired" : status;
}
