import type { Database, Transaction } from "../../../base/storage/database.ts";
import type { Chain, Hex } from "../../../chain/rpc/chain.ts";
import { wordAt } from "../../../chain/rpc/hex.ts";
import { isOpen, updateAvailability } from "./availability-sql.ts";
import {
  type Claim,
  type Claims,
  claimFacts,
  type FactReading,
  maxBlocksBehind,
  releaseFacts,
  writeFactReadings,
} from "./facts.ts";
import { watchOrders } from "./watch.ts";

interface CheckerDependencies {
  readonly database: Database;
  readonly chainOf: (chainId: number) => Promise<Chain>;
  /** A round failed and will be retried. */
  readonly onFailure: (chainId: number, err: unknown) => void;
}

/** Facts per round: about four concurrent round trips to a node. */
const factsPerRound = 100;
/** Timeout of a round, in milliseconds. */
const maxRoundMs = 8_000;
/** How often to poll for stale facts that other processes have marked, in milliseconds. */
const pollMs = 1_000;
/** Interval between rereads of facts that are not stale, in milliseconds. A reread takes a round trip. */
const rereadMs = 1_000;
/** Interval between searches for unwatched orders, in milliseconds: the process that should watch them may have died. */
const searchMs = 60_000;
/**
 * How long rounds must fail before the failure is reported, in milliseconds. A single failure is normal while a block is being reorganized.
 */
const reportAfterMs = 5_000;
/** Orders to watch per transaction. */
const batchSize = 500;

/** Reads the facts of orders as of the newest derived block, and updates the availability of orders accordingly. */
export class AvailabilityChecker implements AsyncDisposable {
  readonly #dependencies: CheckerDependencies;
  readonly #ended = new AbortController();
  readonly #chains: ReadonlyMap<number, CheckState>;
  readonly #timer: NodeJS.Timeout;

  constructor(dependencies: CheckerDependencies, chainIds: readonly number[]) {
    this.#dependencies = dependencies;
    this.#chains = new Map(
      chainIds.map((chainId) => [chainId, { isRequested: false, rereadAt: 0, searchAt: 0 }]),
    );
    this.#timer = setInterval(() => {
      for (const chainId of chainIds) this.wake(chainId);
    }, pollMs);
    this.#timer.unref();
  }

  /** Call this when facts may be stale. `isBehind`: blocks were skipped while catching up, so there may be unwatched orders. */
  wake(chainId: number, isBehind = false): void {
    const state = this.#chains.get(chainId);
    if (state === undefined || this.#ended.signal.aborted) return;
    if (isBehind) state.searchAt = 0;
    state.isRequested = true;
    state.running ??= this.#run(chainId, state).finally(() => {
      state.running = undefined;
    });
  }

  /** Never rejects. */
  async #run(chainId: number, state: CheckState): Promise<void> {
    while (state.isRequested && !this.#ended.signal.aborted) {
      state.isRequested = false;
      try {
        if (state.searchAt <= performance.now()) await this.#search(chainId, state);
        while (await this.#round(chainId, state));
        state.failingSince = undefined;
      } catch (err) {
        state.failingSince ??= performance.now();
        const isPersistent = performance.now() - state.failingSince > reportAfterMs;
        if (isPersistent && !this.#ended.signal.aborted) this.#dependencies.onFailure(chainId, err);
      }
    }
  }

  /** Returns whether more facts may be due. */
  async #round(chainId: number, state: CheckState): Promise<boolean> {
    const { database, chainOf } = this.#dependencies;
    const now = performance.now();
    const isReread = state.rereadAt <= now;
    const claims = await claimFacts(database, chainId, {
      limit: factsPerRound,
      rereadAfterSeconds: isReread ? rereadMs / 1_000 : undefined,
    });
    if (isReread) state.rereadAt = now + rereadMs;
    if (claims === undefined) return false;
    try {
      const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(maxRoundMs)]);
      const needed = claims.facts.filter(({ isNeeded }) => isNeeded);
      const readings = await readFacts(await chainOf(chainId), needed, claims.block.hash, signal);
      await database.transaction((tx) => writeFactReadings(tx, chainId, claims, readings));
    } catch (err) {
      await this.#release(claims);
      throw err;
    }
    return claims.facts.length >= factsPerRound;
  }

  /** If releasing fails too, the claim expires. */
  async #release({ facts }: Claims): Promise<void> {
    await releaseFacts(this.#dependencies.database, facts).catch(() => {});
  }

  /** Watches orders that were created while the follower was catching up. */
  async #search(chainId: number, state: CheckState): Promise<void> {
    const { database } = this.#dependencies;
    const search = async (tx: Transaction, after: string): Promise<readonly string[]> => {
      const rows = await tx.query<{ readonly id: string }>(unwatchedSql, [
        chainId,
        after,
        batchSize,
        maxBlocksBehind,
      ]);
      const ids = rows.map(({ id }) => id);
      await watchOrders(tx, chainId, ids);
      await updateAvailability(tx, chainId, ids);
      return ids;
    };
    for (let after = "0"; ; ) {
      const ids = await database.transaction((tx) => search(tx, after));
      if (ids.length < batchSize || this.#ended.signal.aborted) break;
      after = ids.at(-1) ?? after;
    }
    state.searchAt = performance.now() + searchMs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#ended.abort();
    await Promise.all([...this.#chains.values()].map(({ running }) => running));
  }
}

interface CheckState {
  isRequested: boolean;
  /** Both times as returned by `performance.now()`. */
  rereadAt: number;
  searchAt: number;
  failingSince?: number | undefined;
  running?: Promise<void> | undefined;
}

/** Returns no rows while the follower is catching up. */
const unwatchedSql = {
  name: "market-unwatched",
  text: `
    select o.id from market_order o
    join collection on collection.id = o.collection_id and collection.chain_id = $1
    where o.id > $2 and o.spender is not null and o.holding_id is null and ${isOpen("o")}
      and exists (select from follower_cursor where chain_id = $1 and head - block_number <= $4)
    order by o.id limit $3`,
};

/** Largest response, in bytes: a royalty is two words, all other results are one. */
const maxResponseBytes = 64;

/** Sale price for which royalties are queried; the result is the royalty per 10^18. */
const price = 10n ** 18n;

type Call = { readonly to: Hex; readonly data: Hex };
type CallResult = Hex | undefined;

/**
 * Reads facts from contracts as of a block. A contract that fails, loops or responds with too much yields a reason instead. Throws
 * ChainFailure.
 */
async function readFacts(
  chain: Chain,
  facts: readonly Claim[],
  blockHash: Hex,
  signal: AbortSignal,
): Promise<readonly FactReading[]> {
  const queries = facts.map((fact) => ({ id: fact.id, ...queryOf(fact) }));
  const calls = queries.flatMap((query) => query.calls);
  const responses = await chain.callMany({ calls, maxResultBytes: maxResponseBytes, blockHash, signal });
  const next = responses.values();
  return queries.map(({ id, calls: own, read }) => ({ id, ...read(own.map(() => next.next().value)) }));
}

interface FactQuery {
  readonly calls: readonly Call[];
  readonly read: (results: readonly CallResult[]) => Omit<FactReading, "id">;
}

function queryOf({ kind, contract, tokenId, holder = "0x", spender }: Claim): FactQuery {
  const to = (address: Hex, selector: string, ...words: readonly (Hex | bigint)[]): Call => ({
    to: address,
    data: `0x${selector}${words.map(wordOf).join("")}`,
  });
  if (kind === "royalty")
    // getRoyaltyInfo(address,uint256,uint256) of the market, which calls the token (ERC-2981) or overrides it.
    return { calls: [to(spender, "36de9742", contract, tokenId ?? 0n, price)], read: readRoyalty };
  if (tokenId === undefined)
    return {
      // balanceOf(address), allowance(address,address)
      calls: [to(contract, "70a08231", holder), to(contract, "dd62ed3e", holder, spender)],
      read: readCurrency,
    };
  return {
    // balanceOf(address,uint256), isApprovedForAll(address,address), ownerOf(uint256), getApproved(uint256)
    calls: [
      to(contract, "00fdd58e", holder, tokenId),
      to(contract, "e985e9c5", holder, spender),
      to(contract, "6352211e", tokenId),
      to(contract, "081812fc", tokenId),
    ],
    read: (results) => readToken(results, holder, spender),
  };
}

function wordOf(value: Hex | bigint): string {
  return (typeof value === "bigint" ? value.toString(16) : value.slice(2)).padStart(64, "0");
}

function readRoyalty([royaltyInfo]: readonly CallResult[]): Omit<FactReading, "id"> {
  const [recipient, royalty] = [wordAt(royaltyInfo, 0), wordAt(royaltyInfo, 1)];
  if (recipient === undefined || royalty === undefined) return unreadable("no response from getRoyaltyInfo");
  return { amount: royalty, recipient: addressOf(recipient) };
}

function readCurrency([balanceOf, allowance]: readonly CallResult[]): Omit<FactReading, "id"> {
  const [balance, allowed] = [wordAt(balanceOf, 0), wordAt(allowance, 0)];
  if (balance === undefined || allowed === undefined)
    return unreadable("no response from balanceOf or allowance");
  // The market can take no more than its allowance.
  // biome-ignore lint/complexity/useMathMinMax: these are bigints.
  return { amount: balance < allowed ? balance : allowed };
}

/** A contract that reports a balance per token is treated as ERC-1155, whatever its interface ids say. */
function readToken(
  [balanceOf, isApprovedForAll, ownerOf, getApproved]: readonly CallResult[],
  holder: Hex,
  spender: Hex,
): Omit<FactReading, "id"> {
  const balance = wordAt(balanceOf, 0);
  const owner = wordAt(ownerOf, 0);
  if (balance === undefined && owner === undefined)
    return unreadable("no response from balanceOf or ownerOf");
  const isForAll = wordAt(isApprovedForAll, 0) === 1n;
  if (balance !== undefined) return { amount: isForAll ? balance : 0n };
  const approved = wordAt(getApproved, 0);
  const isApproved = isForAll || (approved !== undefined && addressOf(approved) === spender);
  return { amount: owner !== undefined && addressOf(owner) === holder && isApproved ? 1n : 0n };
}

function unreadable(reason: string): Omit<FactReading, "id"> {
  return { amount: undefined, reason };
}

function addressOf(word: bigint): string {
  return `0x${(word % 2n ** 160n).toString(16).padStart(40, "0")}`;
}
