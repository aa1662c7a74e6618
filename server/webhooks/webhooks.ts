import { loadKeccak } from "../base/keccak.ts";
import type { Outbound } from "../base/outbound/outbound.ts";
import { RequestRejection } from "../base/request-rejection.ts";
import type { ShareHolder } from "../base/storage/connection-shares.ts";
import type { CallerShare, Transaction } from "../base/storage/database.ts";
import { type FiltersInput, readFilters } from "./filters.ts";
import type { Delivery, Format, Listener } from "./listener.ts";
import {
  addListener,
  getListener,
  type ListenerScope,
  listListeners,
  pauseAllListeners,
  removeAllListeners,
  removeListener,
  replaceSecret,
  resumeAllListeners,
  toggleListener,
  updateListener,
} from "./listeners.ts";
import { generateSecret, type SecretBox } from "./secret.ts";

export interface WebhooksDependencies {
  /** The caller's database, with its quota. Changes run in transactions, which may take longer than reads. */
  readonly database: Pick<CallerShare, "query" | "transaction">;
  readonly outbound: Pick<Outbound, "faultOf">;
  readonly secrets: SecretBox;
}

/**
 * Changes of a network's listeners and streams wait for the network's row while the follower stores notifications. Together they may hold a third of the
 * free connections.
 */
export const changesOf = ({ chainId }: ListenerScope): ShareHolder => ({
  name: `listener changes ${chainId}`,
  divisor: 3,
});

export type WebhooksFor = (database: WebhooksDependencies["database"]) => Webhooks;

export interface NewWebhook {
  readonly url: string;
  readonly filters: FiltersInput;
  readonly name?: string | undefined;
  readonly format: Format;
  readonly delivery: Delivery;
  readonly confirmations?: number | undefined;
  readonly fromBlock?: number | undefined;
}

export type WebhookChange = Partial<Omit<NewWebhook, "fromBlock">> & {
  readonly active?: boolean | undefined;
};

/**
 * Manages the listeners of projects. Methods return undefined or false if the listener does not exist. Throws RequestRejection,
 * NotServed and DatabaseFault.
 */
export class Webhooks {
  readonly #dependencies: WebhooksDependencies;

  constructor(dependencies: WebhooksDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the listener with its secret, which cannot be read later. */
  async add(
    scope: ListenerScope,
    { url, filters, name, format, delivery, confirmations, fromBlock }: NewWebhook,
  ): Promise<{ readonly listener: Listener; readonly secret: string }> {
    const { secrets } = this.#dependencies;
    const read = readFilters(filters, await loadKeccak());
    await this.#checkUrl(url);
    const secret = generateSecret();
    const seal = (id: number): Buffer => secrets.seal(secret, id);
    const listener = await this.#change(scope, (tx) =>
      addListener(tx, {
        ...scope,
        url,
        filters: read,
        name,
        format,
        delivery,
        confirmations,
        fromBlock,
        seal,
      }),
    );
    return { listener, secret };
  }

  async update(
    scope: ListenerScope,
    id: number,
    { url, filters, name, format, delivery, confirmations, active }: WebhookChange,
  ): Promise<Listener | undefined> {
    const read = filters && readFilters(filters, await loadKeccak());
    if (url !== undefined) await this.#checkUrl(url);
    return this.#change(scope, (tx) =>
      updateListener(tx, scope, id, { url, filters: read, name, format, delivery, confirmations, active }),
    );
  }

  toggle(scope: ListenerScope, id: number): Promise<Listener | undefined> {
    return this.#change(scope, (tx) => toggleListener(tx, scope, id));
  }

  get(scope: ListenerScope, id: number): Promise<Listener | undefined> {
    return getListener(this.#dependencies.database, scope, id);
  }

  list(scope: ListenerScope): Promise<readonly Listener[]> {
    return listListeners(this.#dependencies.database, scope);
  }

  remove(scope: ListenerScope, id: number): Promise<boolean> {
    return this.#change(scope, (tx) => removeListener(tx, scope, id));
  }

  removeAll(scope: ListenerScope): Promise<void> {
    return this.#change(scope, (tx) => removeAllListeners(tx, scope));
  }

  pauseAll(scope: ListenerScope): Promise<void> {
    return this.#change(scope, (tx) => pauseAllListeners(tx, scope));
  }

  resumeAll(scope: ListenerScope): Promise<void> {
    return this.#change(scope, (tx) => resumeAllListeners(tx, scope));
  }

  async rotateSecret(scope: ListenerScope, id: number): Promise<string | undefined> {
    const { secrets } = this.#dependencies;
    const secret = generateSecret();
    const sealed = secrets.seal(secret, id);
    const isReplaced = await this.#change(scope, (tx) => replaceSecret(tx, scope, id, sealed));
    return isReplaced ? secret : undefined;
  }

  #change<Result>(scope: ListenerScope, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#dependencies.database.transaction(work, changesOf(scope));
  }

  async #checkUrl(url: string): Promise<void> {
    const fault = await this.#dependencies.outbound.faultOf(url);
    if (fault !== undefined) throw new RequestRejection(`/url: ${fault}`);
  }
}
