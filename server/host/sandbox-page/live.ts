import type { Sandbox } from "../../base/credentials/sandbox.ts";
import { pause } from "../../base/repeat.ts";
import type { Queries } from "../../base/storage/database.ts";
import { utc } from "../../base/storage/sql.ts";
import type { Deriver } from "../../chain/follower/derive/deriver.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import type { LocalChain } from "../../chain/sandbox/local-network.ts";
import { type CurrencyRates, storedRates } from "../../market/records/currencies/currency.ts";
import { batchOf, unpackBodies } from "../../webhooks/notifications.ts";
import { replay } from "../../webhooks/replay.ts";
import type { SecretBox } from "../../webhooks/secret.ts";
import { type Examples, firstCall, readExamples } from "./examples.ts";
import { type CollectionChoice, readBook, readCollections } from "./orders.ts";
import { Receiver } from "./receiver.ts";
import { RecentBlocks } from "./recent-blocks.ts";
import type { LiveChain, LiveDelivery, LiveSnapshot, LiveTrades } from "./snapshot.ts";

interface LiveDependencies {
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
  readonly firstCall: string;
}

interface Change {
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
    const keys = { accessKey, secretKey };
    return { keys, examples: await readExamples(sources), firstCall: firstCall(localChain) };
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
      await pause(pollMs, signal);
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

const deliveriesSql = `
select newest.chain_id::float8 as "chainId", newest.sequence::float8 as sequence, listener.id::float8 as "listenerId",
       listener.name as listener, listener.url, batch.block_number::float8 as block,
       case when batch.is_removal then 'BLOCK_REMOVED' else 'BLOCK_ADDED' end as type,
       batch.bodies, (newest.event - batch.first_event)::int as position, newest.state,
       (select coalesce(json_agg(json_build_object('at', ${utc("attempt.at")}, 'tookMs', attempt.took_ms,
                 'status', attempt.status, 'fault', attempt.fault) order by attempt.attempt), '[]')
        from (select * from webhook_attempt where chain_id = newest.chain_id and sequence = newest.sequence
              order by attempt desc limit 10) as attempt) as attempts,
       case when newest.state = 'waiting' and isfinite(newest.due_at) then ${utc("newest.due_at")} end as "dueAt"
from webhook_network network
cross join lateral (
  select * from webhook_notification where chain_id = network.chain_id order by sequence desc limit 40
) as newest
join webhook_listener listener on listener.id = newest.listener_id
cross join lateral (${batchOf("newest")}) as batch
order by batch.stored_at desc, newest.sequence desc limit 40`;

interface DeliveryRow extends Omit<LiveDelivery, "event"> {
  readonly bodies: Buffer;
  readonly position: number;
}

export async function readDeliveries(queries: Queries): Promise<readonly LiveDelivery[]> {
  const rows = await queries.query<DeliveryRow>(deliveriesSql);
  return rows.map(({ bodies, position, ...delivery }) => ({
    ...delivery,
    event: signatureIn(unpackBodies(bodies)[position]),
  }));
}

function signatureIn(body = "{}"): string {
  const { event } = JSON.parse(body) as { readonly event?: { readonly eventSig?: string } };
  return event?.eventSig ?? "";
}

/** Returns how many notifications are sent again: 0 if the delivery does not exist or is waiting already. */
export async function replayDelivery(queries: Queries, chainId: number, sequence: number): Promise<number> {
  return (await replay(queries, { chainId, sequence, onlyFailed: false })) ?? 0;
}

/** Makes one trade on the local chain. Returns what happened, as a sentence. */
type MakeTrade = () => Promise<string>;

interface TradesOptions {
  readonly makeTrade: MakeTrade;
  /** Time between two trades while a page watches, in seconds. Null: trades are made on request only. */
  readonly everySeconds: number | null;
}

/** Trades that the sandbox makes itself, one after the other. */
export class Trades {
  readonly #options: TradesOptions;
  #running: Promise<string> | undefined;
  #startedAt = Number.NEGATIVE_INFINITY;
  #last: LiveTrades["last"] = null;

  constructor(options: TradesOptions) {
    this.#options = options;
  }

  shown(): LiveTrades {
    return { everySeconds: this.#options.everySeconds, last: this.#last };
  }

  /** Starts a trade if one is due. Called while a page watches, so that nothing happens unless someone sees it. */
  beat(): void {
    const { everySeconds } = this.#options;
    if (everySeconds === null || performance.now() - this.#startedAt < everySeconds * 1_000) return;
    // `shown()` tells about a failure.
    void this.make().catch(() => {});
  }

  /** Joins a trade that is being made. Rejects if the chain rejected the trade. */
  make(): Promise<string> {
    this.#running ??= this.#make().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #make(): Promise<string> {
    this.#startedAt = performance.now();
    const tell = (text: string, isFault: boolean): void => {
      this.#last = { at: new Date().toISOString(), text, isFault };
    };
    try {
      const text = await this.#options.makeTrade();
      tell(text, false);
      return text;
    } catch (err) {
      tell("The last trade failed. The next one may work.", true);
      throw err;
    }
  }
}
