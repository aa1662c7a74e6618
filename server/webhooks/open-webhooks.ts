import type { KeyObject } from "node:crypto";
import type { Outbound } from "../base/outbound/outbound.ts";
import type { Database } from "../base/storage/database.ts";
import type { ChainTask, ContractTypeOf, Deriver } from "../chain/follower/derive/deriver.ts";
import { Dispatcher } from "./delivery/dispatcher.ts";
import { deliveryLimits } from "./delivery/limits.ts";
import { openMaintenance } from "./delivery/maintenance.ts";
import type { WebhookEvents } from "./events.ts";
import { createWebhookDeriver } from "./notify/webhook-deriver.ts";
import { readPastBlocks } from "./past/reader.ts";
import { createSecretBox } from "./secret.ts";
import { Webhooks, type WebhooksFor } from "./webhooks.ts";

export interface OpenWebhooksOptions {
  /** A database with its own connections, so that deliveries do not take those of callers. */
  readonly database: Database;
  readonly outbound: Outbound;
  /** Listeners' secrets are encrypted with a key derived from this one. */
  readonly signingKey: KeyObject;
  /** False behind a pooler in transaction mode, which cannot LISTEN. */
  readonly canListen: boolean;
  readonly events: WebhookEvents;
  /** Whether this process delivers. False if it only serves calls. */
  readonly delivers: boolean;
}

export interface OpenWebhooks extends AsyncDisposable {
  /** Takes the database of the caller, with the caller's quota. */
  readonly webhooksFor: WebhooksFor;
  /** Turns the follower's blocks into notifications. */
  readonly deriver: (contractTypeOf: ContractTypeOf) => Deriver;
  /** Reads the past of listeners that were registered with `fromBlock`. */
  readonly pastReader: (contractTypeOf: ContractTypeOf) => ChainTask;
  /** Numbers of hosts that this process has leased, and of its calls in flight. */
  readonly load: () => { readonly hosts: number; readonly calls: number };
}

export function openWebhooks(options: OpenWebhooksOptions): OpenWebhooks {
  const { database: deliveryDatabase, outbound, delivers, events } = options;
  const secrets = createSecretBox(options.signingKey);
  const dependencies = {
    database: deliveryDatabase,
    outbound,
    secrets,
    events,
    limits: deliveryLimits,
    canListen: options.canListen,
  };
  const dispatcher = delivers ? new Dispatcher(dependencies) : undefined;
  const maintenance = delivers ? openMaintenance(deliveryDatabase, events) : undefined;
  return {
    webhooksFor: (database) => new Webhooks({ database, outbound, secrets }),
    deriver: (contractTypeOf) =>
      createWebhookDeriver({
        database: deliveryDatabase,
        contractTypeOf,
        wake: (hosts) => dispatcher?.wake(hosts),
        onNearMiss: (miss) => events.nearMiss(miss),
      }),
    pastReader: (contractTypeOf) => (lead) =>
      readPastBlocks(
        {
          database: deliveryDatabase,
          contractTypeOf,
          wake: (hosts) => dispatcher?.wake(hosts),
          onNearMiss: (miss) => events.nearMiss(miss),
          onEnd: (chain, listenerId) => events.pastEnded(chain, listenerId),
          onFailure: (chain, cause) => events.pastFailed(chain, cause),
        },
        lead,
      ),
    load: () => dispatcher?.load() ?? { hosts: 0, calls: 0 },
    async [Symbol.asyncDispose]() {
      await maintenance?.[Symbol.asyncDispose]();
      await dispatcher?.[Symbol.asyncDispose]();
    },
  };
}
