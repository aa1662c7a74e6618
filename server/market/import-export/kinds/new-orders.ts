import { type CopyValue as Cell, copyCells } from "../../../base/storage/copy.ts";
import type { Transaction } from "../../../base/storage/database.ts";
import { findOrCreateCollections, findOrCreateOrderTokens } from "../../records/collectibles/ids.ts";
import { findExistingOrders } from "../../records/orders/orders-by-id.ts";
import type { AddNew, StagedRow } from "../record-kind.ts";

/**
 * Copies new orders straight into their table, which costs the database a quarter less than staging and merging. Creates missing
 * collections and tokens. If another transaction adds one of the orders at the same time, the copy fails, and the retry of the batch
 * finds that order.
 */
export const newOrders: AddNew = {
  head: 9,
  async add(tx, columns, rows) {
    const orders = rows.map(orderOf);
    await findCollections(tx, orders);
    await findTokens(tx, orders);
    const existing = await findExistingOrders(tx, orders);
    const [{ now } = { now: new Date() }] = await tx.query<{ readonly now: Date }>("select now() as now");
    const added = rows.length - existing.size;
    if (added > 0) {
      const names = ["collection_id", "collectible_id", ...columns.slice(referenceCells)];
      await tx.copy("market_order", names, linesOf(orders, existing, now));
    }
    return { added, known: rows.filter((_, index) => existing.has(index)) };
  },
};

/** Leading cells (chain, collection, token) that are replaced by ids. */
const referenceCells = 3;

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
    const ids = await findOrCreateCollections(
      tx,
      chainId,
      ofChain.map(({ address }) => address),
    );
    for (const order of ofChain) order.collectionId = ids.get(order.address) ?? "";
  }
}

async function findTokens(tx: Transaction, orders: readonly Order[]): Promise<void> {
  const withToken = orders.filter(({ tokenId }) => tokenId !== null);
  const ids = await findOrCreateOrderTokens(
    tx,
    withToken.map(({ collectionId, tokenId }) => ({ collectionId, tokenId: tokenId ?? "" })),
  );
  for (const [index, order] of withToken.entries()) order.collectibleId = ids[index] ?? null;
}

function* linesOf(orders: readonly Order[], existing: ReadonlySet<number>, now: Date): Iterable<string> {
  const timestamp = now.toISOString();
  for (const [index, order] of orders.entries()) {
    if (existing.has(index)) continue;
    const { collectionId, collectibleId, createdAt, updatedAt, orderId, marketplace } = order;
    const cells = [collectionId, collectibleId, statusAt(order, now), order.validUntil];
    cells.push(createdAt ?? timestamp, updatedAt ?? timestamp, orderId, marketplace);
    yield `${copyCells(cells)}\t${order.row.rest}\n`;
  }
}

/** Stores an order whose validity has ended as expired. */
function statusAt({ status, validUntil }: Order, now: Date): Cell {
  const isLive = status === "active" || status === "inactive";
  return isLive && Date.parse(String(validUntil)) <= now.getTime() ? "expired" : status;
}
