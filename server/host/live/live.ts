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

export interface LivePorts {
  readonly database: Queries;
  readonly networks: Networks;
  readonly secrets: SecretBox;
  readonly sandbox: Sandbox;
  readonly localChain: LocalChain | undefined;
  /** Aborted when the host is to stop: who looks is let go. */
  readonly stop: AbortSignal;
}

/** What a page of a sandbox starts with: the one place besides the terminal that tells its keys. */
export interface Start {
  readonly keys: { readonly accessKey: string; readonly secretKey: string };
  readonly examples: Examples;
}

/** A part that has changed. */
export interface Change {
  readonly part: keyof LiveSnapshot;
  readonly json: string;
}

/** Time between two looks at the records, in milliseconds: what a person takes for at once. */
const lookMs = 400;

/** What a developer's own host shows of itself while it runs. Records are looked at while somebody watches, and not else. */
export class Live {
  readonly receiver: Receiver;
  readonly #ports: LivePorts;
  readonly #blocks: RecentBlocks;
  readonly #rates: CurrencyRates;

  constructor(ports: LivePorts) {
    this.#ports = ports;
    this.#blocks = new RecentBlocks(ports.networks.all);
    this.#rates = storedRates(ports.database, ports.networks.all);
    this.receiver = new Receiver(ports);
  }

  get stop(): AbortSignal {
    return this.#ports.stop;
  }

  /** To be told of blocks as they come. */
  deriver(): Deriver {
    return this.#blocks.deriver();
  }

  /** `receiverUrl`: where the sandbox's own receiver can be reached. */
  async start(receiverUrl: string): Promise<Start> {
    const { database, networks, sandbox, localChain } = this.#ports;
    const { projectId, accessKey, secretKey } = sandbox;
    const defaultChainId = networks.all[0]?.chainId ?? 0;
    const sources = { database, projectId, defaultChainId, receiverUrl, localChain };
    return { keys: { accessKey, secretKey }, examples: await readExamples(sources) };
  }

  replay(chainId: number, sequence: number): Promise<number> {
    return replayDelivery(this.#ports.database, chainId, sequence);
  }

  /** Every part at first, and then each that has changed. An empty list: nothing has. Ends with the signal. */
  async *watch(
    choice: CollectionChoice | undefined,
    receiverUrl: string,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Change[], void, undefined> {
    const told = new Map<string, string>();
    while (!signal.aborted) {
      // A database that is away for a moment is asked again at the next look.
      const shown = await this.#look(choice, receiverUrl).catch(() => undefined);
      const changes = Object.entries(shown ?? {}).flatMap(([part, value]): readonly Change[] => {
        const json = JSON.stringify(value);
        if (told.get(part) === json) return [];
        told.set(part, json);
        return [{ part: part as keyof LiveSnapshot, json }];
      });
      yield changes;
      await sleep(lookMs, undefined, { signal }).catch(() => {});
    }
  }

  async #look(choice: CollectionChoice | undefined, receiverUrl: string): Promise<LiveSnapshot> {
    const { database } = this.#ports;
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
    };
  }

  async #chains(): Promise<readonly LiveChain[]> {
    const { database, networks } = this.#ports;
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
