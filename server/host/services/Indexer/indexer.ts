import type { ErrorMakers, RpcFailure } from "ridlkit-runtime/handler";
import { replay } from "ridlkit-runtime/server-streams";
import type { IndexerHandlers } from "../../../../generated/server.ts";
import type { RecordId, SubscribeEventsResponse, WebhookListener } from "../../../../generated/types.ts";
import { RequestRejection } from "../../../base/request-rejection.ts";
import { describeMissing } from "../../../chain/networks/networks.ts";
import type { Listener } from "../../../webhooks/listener.ts";
import type { ListenerScope } from "../../../webhooks/listeners.ts";
import type { EventStreams } from "../../../webhooks/streams/event-streams.ts";
import type { Webhooks, WebhooksFor } from "../../../webhooks/webhooks.ts";
import { rejectionFailure } from "../../failures.ts";
import { type CallContext, networkOf } from "../call-context.ts";
import { type OwnerDependencies, ownerReads } from "./owners.ts";

interface IndexerDependencies extends OwnerDependencies {
  readonly webhooksFor: WebhooksFor;
  readonly streams: EventStreams;
}

/** The methods of the service, except those that all services share. */
export function indexerHandlers(
  dependencies: IndexerDependencies,
): Omit<IndexerHandlers<CallContext>, "Ping" | "Version"> {
  const owners = ownerReads(dependencies);
  return {
    AddWebhookListener: (ctx, req) =>
      onNetwork(ctx, req, dependencies, async (webhooks, scope) => {
        const { listener, secret } = await webhooks.add(scope, req);
        return { status: true, listener: webhookListener(listener), secret };
      }),
    UpdateWebhookListener: (ctx, req) => {
      const { listener, projectId: _, chainId: __, ...flat } = req;
      const isFlat = Object.values(flat).some((value) => value !== undefined);
      const change = listener ?? flat;
      const { id } = change;
      if ((listener !== undefined && isFlat) || id === undefined) {
        const cause =
          id === undefined
            ? "/id: required, here or in /listener/id"
            : "/listener: put the changes either in listener or at the top level, not in both";
        throw new RequestRejection(cause);
      }
      return onNetwork(ctx, req, dependencies, async (webhooks, scope) => {
        const changed = await webhooks.update(scope, id, change);
        return changed === undefined
          ? noListener(ctx, id)
          : { status: true, listener: webhookListener(changed) };
      });
    },
    RemoveWebhookListener: (ctx, req) =>
      onNetwork(ctx, req, dependencies, async (webhooks, scope) =>
        (await webhooks.remove(scope, req.id)) ? { status: true } : noListener(ctx, req.id),
      ),
    ToggleWebhookListener: (ctx, req) =>
      onNetwork(ctx, req, dependencies, async (webhooks, scope) => {
        const listener = await webhooks.toggle(scope, req.id);
        return listener === undefined
          ? noListener(ctx, req.id)
          : { webhookListener: webhookListener(listener) };
      }),
    GetWebhookListener: (ctx, req) =>
      onNetwork(ctx, req, dependencies, async (webhooks, scope) => {
        const listener = await webhooks.get(scope, req.id);
        return listener === undefined ? noListener(ctx, req.id) : { listener: webhookListener(listener) };
      }),
    GetAllWebhookListeners: (ctx, req) =>
      onNetwork(ctx, req, dependencies, async (webhooks, scope) => ({
        listeners: (await webhooks.list(scope)).map(webhookListener),
      })),
    RemoveAllWebhookListeners: (ctx, req) =>
      onNetwork(ctx, req, dependencies, async (webhooks, scope) => {
        await webhooks.removeAll(scope);
        return { status: true };
      }),
    PauseAllWebhookListeners: (ctx, req) =>
      onNetwork(ctx, req, dependencies, async (webhooks, scope) => {
        await webhooks.pauseAll(scope);
        return { status: true };
      }),
    ResumeAllWebhookListeners: (ctx, req) =>
      onNetwork(ctx, req, dependencies, async (webhooks, scope) => {
        await webhooks.resumeAll(scope);
        return { status: true };
      }),
    RotateWebhookSecret: (ctx, req) =>
      onNetwork(ctx, req, dependencies, async (webhooks, scope) => {
        const secret = await webhooks.rotateSecret(scope, req.id);
        return secret === undefined ? noListener(ctx, req.id) : { secret };
      }),
    SubscribeEvents: (ctx, req) =>
      onNetwork(ctx, req, dependencies, async (_, scope) => {
        const { streams } = dependencies;
        const topic = await streams.topicOf(ctx.context.database, scope, req.filter);
        return (await replay(streams, topic, req.after, ctx)) as AsyncGenerator<SubscribeEventsResponse>;
      }),
    GetTokenBalances: (ctx, req) => owners.GetTokenBalances(ctx, req),
    GetTokenSupplies: (ctx, req) => owners.GetTokenSupplies(ctx, req),
    GetTokenIDRanges: (ctx, req) => owners.GetTokenIDRanges(ctx, req),
  };
}

interface IndexerCall<Errors extends string> {
  readonly context: CallContext;
  readonly errors: ErrorMakers<Errors>;
}

type CommonError = "InvalidArgument" | "Unavailable";

/** Runs `work` on the caller's listeners of the call's network, within the caller's shares of the database. */
async function onNetwork<Response, Errors extends string>(
  { context, errors }: IndexerCall<Errors | CommonError>,
  { chainId }: { readonly chainId?: string },
  { networks, webhooksFor }: IndexerDependencies,
  work: (webhooks: Webhooks, scope: ListenerScope) => Promise<Response>,
): Promise<Response | RpcFailure<CommonError>> {
  const { caller, pathNetwork, database } = context;
  if (caller === undefined) throw new Error("the credentials were not checked before the handler");
  const network = networkOf(networks, { chainId }, pathNetwork);
  if (network.follow === undefined || network.nodes.length === 0)
    return (errors as ErrorMakers<CommonError>).Unavailable({
      cause: describeMissing(network, `this host does not follow ${network.name}`),
      expose: true,
    });
  try {
    return await work(webhooksFor(database), { projectId: caller.projectId, chainId: network.chainId });
  } catch (err) {
    // A failure of the contract, unlike other errors, is the lasting response to an idempotency key.
    throw rejectionFailure(err) ?? err;
  }
}

function noListener(
  { errors }: { readonly errors: ErrorMakers<"NotFound"> },
  id: RecordId,
): RpcFailure<"NotFound"> {
  return errors.NotFound({
    cause: `there is no listener ${id} in this project on this network`,
    expose: true,
  });
}

function webhookListener({
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
