import type { Database, Transaction } from "../../../base/storage/database.ts";
import type { Chain } from "../../../chain/rpc/chain.ts";
import { askFacts } from "./ask-facts.ts";
import { behindMax, type Claims, claimFacts, releaseFacts, writeReadings } from "./facts.ts";
import { isOpen } from "./outlook.ts";
import { settleOrders } from "./settle.ts";
import { watchOrders } from "./watch.ts";

export interface CheckerPorts {
  readonly database: Database;
  readonly chainOf: (chainId: number) => Promise<Chain>;
  /** A round failed; another one follows. */
  readonly onFailure: (chainId: number, err: unknown) => void;
}

/** Facts of one round: some four round trips to a node, at the same moment. */
const most = 100;
/** How long a round may take. */
const roundMaxMs = 8_000;
/** How often it is looked for facts that other processes want to know, in milliseconds. */
const lookMs = 1_000;
/** Between two readings of facts that nobody doubts, each of which is a round trip, in milliseconds. */
const againMs = 1_000;
/** Between two searches for orders that nobody watches, in milliseconds: their process may have died. */
const searchMs = 60_000;
/** How long rounds fail before it is told, in milliseconds: a block that leaves at this moment is asked for in vain. */
const toldAfterMs = 5_000;
/** Orders that begin to be watched in one transaction. */
const batch = 500;

/** Reads the facts of orders as of the newest block whose records are written, and makes orders active or not by them. */
export class AvailabilityChecker implements AsyncDisposable {
  readonly #ports: CheckerPorts;
  readonly #ended = new AbortController();
  readonly #chains: ReadonlyMap<number, Turn>;
  readonly #timer: NodeJS.Timeout;

  constructor(ports: CheckerPorts, chainIds: readonly number[]) {
    this.#ports = ports;
    this.#chains = new Map(
      chainIds.map((chainId) => [chainId, { isWanted: false, againAt: 0, searchAt: 0 }]),
    );
    this.#timer = setInterval(() => {
      for (const chainId of chainIds) this.wake(chainId);
    }, lookMs);
    this.#timer.unref();
  }

  /** Facts may be in doubt; `isBehind`: there may be orders that nobody watches. */
  wake(chainId: number, isBehind = false): void {
    const turn = this.#chains.get(chainId);
    if (turn === undefined || this.#ended.signal.aborted) return;
    if (isBehind) turn.searchAt = 0;
    turn.isWanted = true;
    turn.running ??= this.#run(chainId, turn).finally(() => {
      turn.running = undefined;
    });
  }

  /** Never rejects. */
  async #run(chainId: number, turn: Turn): Promise<void> {
    while (turn.isWanted && !this.#ended.signal.aborted) {
      turn.isWanted = false;
      try {
        if (turn.searchAt <= performance.now()) await this.#search(chainId, turn);
        while (await this.#round(chainId, turn));
        turn.failsSince = undefined;
      } catch (err) {
        turn.failsSince ??= performance.now();
        const isLong = performance.now() - turn.failsSince > toldAfterMs;
        if (isLong && !this.#ended.signal.aborted) this.#ports.onFailure(chainId, err);
      }
    }
  }

  /** Answers whether there may be more to do. */
  async #round(chainId: number, turn: Turn): Promise<boolean> {
    const { database, chainOf } = this.#ports;
    const now = performance.now();
    const isAgain = turn.againAt <= now;
    const claims = await claimFacts(database, chainId, {
      most,
      againSeconds: isAgain ? againMs / 1_000 : undefined,
    });
    if (isAgain) turn.againAt = now + againMs;
    if (claims === undefined) return false;
    try {
      const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(roundMaxMs)]);
      const wanted = claims.facts.filter(({ isWanted }) => isWanted);
      const readings = await askFacts(await chainOf(chainId), wanted, claims.block.hash, signal);
      await database.transaction((tx) => writeReadings(tx, chainId, claims, readings));
    } catch (err) {
      await this.#release(claims);
      throw err;
    }
    return claims.facts.length >= most;
  }

  /** If this fails as well, the claim ends by itself. */
  async #release({ facts }: Claims): Promise<void> {
    await releaseFacts(this.#ports.database, facts).catch(() => {});
  }

  /** Orders that were made while older blocks were caught up with. */
  async #search(chainId: number, turn: Turn): Promise<void> {
    const { database } = this.#ports;
    const search = async (tx: Transaction, after: string): Promise<readonly string[]> => {
      const rows = await tx.query<{ readonly id: string }>(unwatchedSql, [chainId, after, batch, behindMax]);
      const ids = rows.map(({ id }) => id);
      await watchOrders(tx, chainId, ids);
      await settleOrders(tx, chainId, ids);
      return ids;
    };
    for (let after = "0"; ; ) {
      const ids = await database.transaction((tx) => search(tx, after));
      if (ids.length < batch || this.#ended.signal.aborted) break;
      after = ids.at(-1) ?? after;
    }
    turn.searchAt = performance.now() + searchMs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#ended.abort();
    await Promise.all([...this.#chains.values()].map(({ running }) => running));
  }
}

interface Turn {
  isWanted: boolean;
  /** Times of `performance.now()`. */
  againAt: number;
  searchAt: number;
  failsSince?: number | undefined;
  running?: Promise<void> | undefined;
}

/** None while the chain is caught up with. */
const unwatchedSql = {
  name: "market-unwatched",
  text: `
    select o.id from market_order o
    join collection on collection.id = o.collection_id and collection.chain_id = $1
    where o.id > $2 and o.spender is not null and o.holding_id is null and ${isOpen("o")}
      and exists (select from follower_cursor where chain_id = $1 and head - block_number <= $4)
    order by o.id limit $3`,
};
