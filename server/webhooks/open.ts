import type { KeyObject } from "node:crypto";
import type { Outbound } from "../base/outbound/outbound.ts";
import type { Database } from "../base/storage/database.ts";
import type { ContractTypeOf, Deriver } from "../chain/follower/derive/deriver.ts";
import { Dispatcher } from "./delivery/dispatcher.ts";
import type { DeliveryEvents } from "./delivery/events.ts";
import { deliveryLimits } from "./delivery/limits.ts";
import { openUpkeep } from "./delivery/upkeep.ts";
import { createWebhookDeriver } from "./notify/deriver.ts";
import { createSecretBox } from "./secret.ts";
import { Webhooks, type WebhooksOn } from "./webhooks.ts";

export interface OpenWebhooksOptions {
  /** With connections of its own, for deliveries. */
  readonly ownWork: Database;
  readonly outbound: Outbound;
  /** Secrets are sealed with a key that is derived from it. */
  readonly signingKey: KeyObject;
  /** False behind a pooler in transaction mode. */
  readonly canListen: boolean;
  readonly events: DeliveryEvents;
  /** False: this process answers calls only, and others deliver. */
  readonly delivers: boolean;
}

export interface OpenWebhooks extends AsyncDisposable {
  /** Each call comes with the database of its caller. */
  readonly webhooksOn: WebhooksOn;
  /** What the follower of chains tells, becomes notifications. */
  readonly deriver: (contractTypeOf: ContractTypeOf) => Deriver;
  /** How many hosts this process calls, and calls under way. */
  readonly load: () => { readonly hosts: number; readonly calls: number };
}

export function openWebhooks(options: OpenWebhooksOptions): OpenWebhooks {
  const { ownWork, outbound, delivers, events } = options;
  const secrets = createSecretBox(options.signingKey);
  const ports = {
    database: ownWork,
    outbound,
    secrets,
    events,
    limits: deliveryLimits,
    canListen: options.canListen,
  };
  const dispatcher = delivers ? new Dispatcher(ports) : undefined;
  const upkeep = delivers ? openUpkeep(ownWork, events) : undefined;
  return {
    webhooksOn: (database) => new Webhooks({ database, outbound, secrets }),
    deriver: (contractTypeOf) =>
      createWebhookDeriver({
        database: ownWork,
        contractTypeOf,
        wake: (hosts) => dispatcher?.wake(hosts),
        missed: (miss) => events.missed(miss),
      }),
    load: () => dispatcher?.load() ?? { hosts: 0, calls: 0 },
    async [Symbol.asyncDispose]() {
      await upkeep?.[Symbol.asyncDispose]();
      await dispatcher?.[Symbol.asyncDispose]();
    },
  };
}
