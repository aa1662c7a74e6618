import { setTimeout as sleep } from "node:timers/promises";
import type { Sandbox } from "../../base/credentials/sandbox.ts";
import type { Queries } from "../../base/storage/database.ts";
import type { Deriver } from "../../chain/follower/derive/deriver.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import type { LocalChain } from "../../chain/sandbox/local-network.ts";
import type { CurrencyRates } from "../../market/records/currencies/currency.ts";
import { storedRates } from "../../market/records/currencies/stored-rates.ts";
import type { SecretBox } from "../../webhooks/secret.ts";
import { readDeliveries, readNearMisses, replayDelivery } from "./deliveries.ts";
import { type Examples, readExamples } from "./examples.ts";
import { type CollectionChoice, readBook, readCollections } from "./orders.ts";
import { Receiver } from "./receiver.ts";
import { RecentBlocks } from "./recent-blocks.ts";
import type { LiveChain, LiveSnapshot } from "./snapshot.ts";
import { Trades, type TradesOptions } from "./trades.ts";

export interface LiveDependencies {
  readonly database: Queries;
  readonly networks: Networks;
  readonly secrets: SecretBox;
  readonly sandbox: Sandbox;
  readonly localChain: LocalChain | undefined;
  /** Aborted when the host stops; ends all watchers. */
  readonly stop: AbortSignal;
}

/** What the sandbox's page starts with. Only this and the terminal show the keys. */
export interface Start {
  readonly keys: { readonly accessKey: string; readonly secretKey: string };
  readonly examples: Examples;
}

export interface Change {
  readonly part: keyof LiveSnapshot;
  readonly json: string;
}

/** Interval between two reads of the records, in milliseconds: people notice no delay. */
const pollMs = 400;

/** Shows what happens in a sandbox. Reads records only while a page watches. */
export class Live {
  readonly receiver: Receiver;
  readonly #dependencies: LiveDependencies;
  readonly #blocks: RecentBlocks;
  readonly #rates: CurrencyRates;
  #trades: Trades | undefined;

  constructor(dependencies: LiveDependencies) {
    this.#dependencies = dependencies;
    this.#blocks = new RecentBlocks(dependencies.networks.all);
    this.#rates = storedRates(dependencies.database, dependencies.networks.all);
    this.receiver = new Receiver(dependencies);
  }

  get secretKey(): string {
    return this.#dependencies.sandbox.secretKey;
  }

  /** Undefined if the sandbox makes no trades. */
  get trades(): Trades | undefined {
    return this.#trades;
  }

  startTrades(options: TradesOptions): void {
    this.#trades = new Trades(options);
  }

  get stop(): AbortSignal {
    return this.#dependencies.stop;
  }

  deriver(): Deriver {
    return this.#blocks.deriver();
  }

  /** `receiverUrl`: the URL of the sandbox's receiver. */
  async start(receiverUrl: string): Promise<Start> {
    const { database, networks, sandbox, localChain } = this.#dependencies;
    const { projectId, accessKey, secretKey } = sandbox;
    const defaultChainId = networks.all[0]?.chainId ?? 0;
    const sources = { database, projectId, defaultChainId, receiverUrl, localChain };
    return { keys: { accessKey, secretKey }, examples: await readExamples(sources) };
  }

  replay(chainId: number, sequence: number): Promise<number> {
    return replayDelivery(this.#dependencies.database, chainId, sequence);
  }

  /** Yields every part first, then each changed part. Yields an empty list if nothing has changed. Ends when `signal` aborts. */
  async *watch(
    choice: CollectionChoice | undefined,
    receiverUrl: string,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Change[], void, undefined> {
    const sent = new Map<string, string>();
    while (!signal.aborted) {
      this.#trades?.beat();
      // If the database is unavailable, the next poll tries again.
      const snapshot = await this.#readSnapshot(choice, receiverUrl).catch(() => undefined);
      const changes = Object.entries(snapshot ?? {}).flatMap(([part, value]): readonly Change[] => {
        const json = JSON.stringify(value);
        if (sent.get(part) === json) return [];
        sent.set(part, json);
        return [{ part: part as keyof LiveSnapshot, json }];
      });
      yield changes;
      await sleep(pollMs, undefined, { signal }).catch(() => {});
    }
  }

  async #readSnapshot(choice: CollectionChoice | undefined, receiverUrl: string): Promise<LiveSnapshot> {
    const { database } = this.#dependencies;
    const collections = await readCollections(database);
    const chosen = choice ?? collections[0];
    return {
      chains: await this.#chains(),
      blocks: await this.#blocks.snapshot(),
      collections,
      book: chosen === undefined ? null : await readBook(database, this.#rates, chosen),
      deliveries: await readDeliveries(database),
      nearMisses: await readNearMisses(database),
      receiver: this.receiver.shown(receiverUrl),
      trades: this.#trades?.shown() ?? null,
    };
  }

  async #chains(): Promise<readonly LiveChain[]> {
    const { database, networks } = this.#dependencies;
    const rows = await database.query<Omit<LiveChain, "name">>(
      `select chain_id::float8 as "chainId", block_number::float8 as block, head::float8 as head
       from follower_cursor order by chain_id`,
    );
    return rows.flatMap((row) => {
      const network = networks.find(row.chainId);
      return network === undefined ? [] : [{ ...row, name: network.name }];
    });
  }
}
