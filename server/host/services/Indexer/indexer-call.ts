import type { ErrorMakers, RpcFailure } from "../../../../generated/runtime/v1/server.ts";
import type { EventNearMiss, RecordId, WebhookListener } from "../../../../generated/types.ts";
import { describeMissing } from "../../../chain/networks/describe-missing.ts";
import type { Networks } from "../../../chain/networks/networks.ts";
import { type Listener, ListenerRejection, NotYetFollowed } from "../../../webhooks/listener.ts";
import type { ListenerScope } from "../../../webhooks/listeners.ts";
import type { NearMiss } from "../../../webhooks/notify/near-miss-counts.ts";
import type { Webhooks, WebhooksFor } from "../../../webhooks/webhooks.ts";
import type { CallContext } from "../call-context.ts";
import { networkOf } from "../call-network.ts";

export interface IndexerDependencies {
  readonly networks: Networks;
  readonly webhooksFor: WebhooksFor;
}

interface IndexerCall<Errors extends string> {
  readonly host: CallContext;
  readonly errors: ErrorMakers<Errors>;
}

type CommonError = "InvalidArgument" | "Unavailable";

/** Runs `work` on the caller's listeners of the call's network, within the caller's shares of the database. */
export async function onNetwork<Response, Errors extends string>(
  { host, errors }: IndexerCall<Errors | CommonError>,
  { chainId }: { readonly chainId?: string },
  { networks, webhooksFor }: IndexerDependencies,
  work: (webhooks: Webhooks, scope: ListenerScope) => Promise<Response>,
): Promise<Response | RpcFailure<CommonError>> {
  const { caller, pathNetwork, database } = host;
  if (caller === undefined) throw new Error("the credentials were not checked before the handler");
  const network = networkOf(networks, { chainId }, pathNetwork);
  const own: ErrorMakers<CommonError> = errors;
  if (network.follow === undefined || network.nodes.length === 0)
    return own.Unavailable({
      cause: describeMissing(network, `this host does not follow ${network.name}`),
      expose: true,
    });
  try {
    return await work(webhooksFor(database), { projectId: caller.projectId, chainId: network.chainId });
  } catch (err) {
    if (err instanceof ListenerRejection) return own.InvalidArgument({ cause: err.message, expose: true });
    if (err instanceof NotYetFollowed) return own.Unavailable({ cause: err.message, expose: true });
    throw err;
  }
}

export function noListener(
  { errors }: { readonly errors: ErrorMakers<"NotFound"> },
  id: RecordId,
): RpcFailure<"NotFound"> {
  return errors.NotFound({
    cause: `there is no listener ${id} in this project on this network`,
    expose: true,
  });
}

export function eventNearMiss({ event, matchingEvent, logs, blockNumber }: NearMiss): EventNearMiss {
  return { event, logs, blockNumber, ...(matchingEvent === undefined ? {} : { matchingEvent }) };
}

export function webhookListener({
  id,
  projectId,
  chainId,
  url,
  filters,
  name,
  format,
  delivery,
  confirmations,
  pauseReason,
  past,
  updatedAt,
}: Listener): WebhookListener {
  const { contractAddresses, events, tokenIDs, accounts, topicHashes } = filters;
  return {
    id,
    projectID: projectId,
    chainId,
    url,
    filters: {
      contractAddresses: [...contractAddresses],
      events: [...events],
      ...(tokenIDs === undefined ? {} : { tokenIDs: [...tokenIDs] }),
      ...(accounts === undefined ? {} : { accounts: [...accounts] }),
      ...(topicHashes === undefined ? {} : { topicHashes: [...topicHashes] }),
    },
    name,
    format,
    delivery,
    ...(delivery === "head" ? { confirmations } : {}),
    active: pauseReason === undefined,
    ...(pauseReason === undefined ? {} : { pauseReason }),
    ...(past === undefined ? {} : { past }),
    updatedAt,
  };
}
