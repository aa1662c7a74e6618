import type { Outbound } from "../base/outbound/outbound.ts";
import type { SealingKeys } from "../base/sealer.ts";
import type { Database } from "../base/storage/database.ts";
import type { ChainTask } from "../chain/follower/chain-task.ts";
import type { ContractTypeOf, Deriver } from "../chain/follower/derive/deriver.ts";
import { Dispatcher } from "./delivery/dispatcher.ts";
import { deliveryLimits } from "./delivery/limits.ts";
import { openMaintenance } from "./delivery/maintenance.ts";
import type { WebhookEvents } from "./events.ts";
import { createWebhookDeriver } from "./notify/webhook-deriver.ts";
import { readPastBlocks } from "./past/reader.ts";
import { createSecretBox } from "./secret.ts";
import { EventStreams } from "./streams/event-streams.ts";
import { Webhooks, type WebhooksFor } from "./webhooks.ts";

export interface OpenWebhooksOptions {
  /** A database with its own connections, so that deliveries do not take those of callers. */
  readonly database: Database;
  readonly outbound: Outbound;
  /** Listeners' secrets are encrypted with a key derived from the first one. */
  readonly signingKeys: SealingKeys;
  /** False behind a pooler in transaction mode, which cannot LISTEN. */
  readonly canListen: boolean;
  readonly events: WebhookEvents;
  /** Whether this process delivers. False if it only serves calls. */
  readonly delivers: boolean;
}

export interface OpenWebhooks extends AsyncDisposable {
  /** Takes the database of the caller, with the caller's quota. */
  readonly webhooksFor: WebhooksFor;
  readonly streams: EventStreams;
  /** Turns the follower's blocks into notifications. */
  readonly deriver: (contractTypeOf: ContractTypeOf) => Deriver;
  /** Reads the past of listeners that were registered with `fromBlock`. */
  readonly pastReader: (contractTypeOf: ContractTypeOf) => ChainTask;
  /** Numbers of destinations that this process has leased, and of its calls in flight. */
  readonly load: () => { readonly destinations: number; readonly calls: number };
}

export function openWebhooks(options: OpenWebhooksOptions): OpenWebhooks {
  const { database: deliveryDatabase, outbound, delivers, events } = options;
  const secrets = createSecretBox(options.signingKeys);
  const dependencies = {
    database: deliveryDatabase,
    outbound,
    secrets,
    events,
    limits: deliveryLimits,
    canListen: options.canListen,
  };
  const dispatcher = delivers ? new Dispatcher(dependencies) : undefined;
  const streams = new EventStreams({ database: deliveryDatabase, canListen: options.canListen && delivers });
  const maintenance = delivers ? openMaintenance(deliveryDatabase, events) : undefined;
  return {
    streams,
    webhooksFor: (database) => new Webhooks({ database, outbound, secrets }),
    deriver: (contractTypeOf) =>
      createWebhookDeriver({
        database: deliveryDatabase,
        contractTypeOf,
        wake: (destinations) => dispatcher?.wake(destinations),
      }),
    pastReader: (contractTypeOf) => (followed) =>
      readPastBlocks(
        {
          database: deliveryDatabase,
          contractTypeOf,
          wake: (destinations) => dispatcher?.wake(destinations),
          onEnd: (chain, listenerId) => events.pastEnded(chain, listenerId),
          onFailure: (chain, cause) => events.pastFailed(chain, cause),
        },
        followed,
      ),
    load: () => dispatcher?.load() ?? { destinations: 0, calls: 0 },
    async [Symbol.asyncDispose]() {
      await streams[Symbol.asyncDispose]();
      await maintenance?.[Symbol.asyncDispose]();
      await dispatcher?.[Symbol.asyncDispose]();
    },
  };
}
