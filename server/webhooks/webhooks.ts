import { loadKeccak } from "../base/keccak.ts";
import type { Outbound } from "../base/outbound/outbound.ts";
import type { Database } from "../base/storage/database.ts";
import { type GivenFilters, readFilters } from "./filters.ts";
import { type Format, type Listener, ListenerRefusal } from "./listener.ts";
import {
  addListener,
  getListener,
  listListeners,
  type Owned,
  pauseAllListeners,
  removeAllListeners,
  removeListener,
  replaceSecret,
  resumeAllListeners,
  toggleListener,
  updateListener,
} from "./listeners.ts";
import { type NearMiss, nearMissesOf } from "./notify/near-misses.ts";
import { makeSecret, type SecretBox } from "./secret.ts";

export interface WebhooksPorts {
  /** Within the shares of a caller. Changes are transactions: they may take longer than reads. */
  readonly database: Pick<Database, "query" | "transaction">;
  readonly outbound: Pick<Outbound, "faultOf">;
  readonly secrets: SecretBox;
}

/** Listeners as kept in a database. */
export type WebhooksOn = (database: WebhooksPorts["database"]) => Webhooks;

export interface Addition {
  readonly url: string;
  readonly filters: GivenFilters;
  readonly name?: string | undefined;
  readonly format: Format;
}

export type Change = Partial<Addition> & { readonly active?: boolean | undefined };

/** The listeners of projects. Undefined and false: there is no such listener here. Throws ListenerRefusal and DatabaseFault. */
export class Webhooks {
  readonly #ports: WebhooksPorts;

  constructor(ports: WebhooksPorts) {
    this.#ports = ports;
  }

  /** With its secret, which is told this once. */
  async add(
    owned: Owned,
    { url, filters, name, format }: Addition,
  ): Promise<{ readonly listener: Listener; readonly secret: string }> {
    const { database, secrets } = this.#ports;
    const read = readFilters(filters, await loadKeccak());
    await this.#checkUrl(url);
    const secret = makeSecret();
    const seal = (id: number): Buffer => secrets.seal(secret, id);
    const listener = await database.transaction((tx) =>
      addListener(tx, { ...owned, url, filters: read, name, format, seal }),
    );
    return { listener, secret };
  }

  async update(
    owned: Owned,
    id: number,
    { url, filters, name, format, active }: Change,
  ): Promise<Listener | undefined> {
    const read = filters && readFilters(filters, await loadKeccak());
    if (url !== undefined) await this.#checkUrl(url);
    return this.#ports.database.transaction((tx) =>
      updateListener(tx, owned, id, { url, filters: read, name, format, active }),
    );
  }

  toggle(owned: Owned, id: number): Promise<Listener | undefined> {
    return this.#ports.database.transaction((tx) => toggleListener(tx, owned, id));
  }

  get(owned: Owned, id: number): Promise<Listener | undefined> {
    return getListener(this.#ports.database, owned, id);
  }

  /** Why events of a listener match nothing. */
  nearMisses(id: number): Promise<readonly NearMiss[]> {
    return nearMissesOf(this.#ports.database, id);
  }

  list(owned: Owned): Promise<readonly Listener[]> {
    return listListeners(this.#ports.database, owned);
  }

  remove(owned: Owned, id: number): Promise<boolean> {
    return this.#ports.database.transaction((tx) => removeListener(tx, owned, id));
  }

  removeAll(owned: Owned): Promise<void> {
    return this.#ports.database.transaction((tx) => removeAllListeners(tx, owned));
  }

  pauseAll(owned: Owned): Promise<void> {
    return this.#ports.database.transaction((tx) => pauseAllListeners(tx, owned));
  }

  resumeAll(owned: Owned): Promise<void> {
    return this.#ports.database.transaction((tx) => resumeAllListeners(tx, owned));
  }

  /** The new secret. */
  async rotateSecret(owned: Owned, id: number): Promise<string | undefined> {
    const { database, secrets } = this.#ports;
    const secret = makeSecret();
    const sealed = secrets.seal(secret, id);
    const isReplaced = await database.transaction((tx) => replaceSecret(tx, owned, id, sealed));
    return isReplaced ? secret : undefined;
  }

  async #checkUrl(url: string): Promise<void> {
    const fault = await this.#ports.outbound.faultOf(url);
    if (fault !== undefined) throw new ListenerRefusal(`url: ${fault}`);
  }
}
