import type { Context } from "koa";
import type { Call, RpcFailure } from "../../../generated/runtime/v1/server.ts";
import type { SchemaErrorName } from "../../../generated/server/errors.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import type { CallContext } from "../services/call-context.ts";

type HostCall = Call<SchemaErrorName, Context>;
type Refusal = RpcFailure<"PermissionDenied" | "InvalidArgument">;
type RequestCheck = (call: HostCall, request: unknown, context: CallContext) => Refusal | undefined;

/** What a request of the right shape may still not say, whichever method it is for. */
export function createRequestChecks(networks: Networks): RequestCheck {
  const checkNetwork = networkCheck(networks);
  return (call, request, context) =>
    checkProject(call, request, context) ?? checkNetwork(call, request, context);
}

/** The fields that name projects; the second is the spelling of official clients. */
interface Projects {
  readonly projectId?: unknown;
  readonly listener?: { readonly projectID?: unknown };
}

/** A body that names a project names that of the keys. */
function checkProject(call: HostCall, request: unknown, { caller }: CallContext): Refusal | undefined {
  if (caller === undefined) return undefined;
  const { projectId, listener } = request as Projects;
  const isForeign = (id: unknown): boolean => id !== undefined && Number(id) !== caller.projectId;
  if (!isForeign(projectId) && !isForeign(listener?.projectID)) return undefined;
  const field = isForeign(projectId) ? "projectId" : "listener.projectID";
  return call.errors.PermissionDenied({
    cause: `${field}: not the project of the access key`,
    expose: true,
  });
}

/** A body that names a network names one that is served, and that of the path if it names one too. */
function networkCheck(networks: Networks): RequestCheck {
  return (call, request, { pathNetwork }) => {
    const { chainId } = request as { readonly chainId?: string };
    const network = networks.ofCall({ pathNetwork, chainId });
    return typeof network === "string"
      ? call.errors.InvalidArgument({ cause: network, expose: true })
      : undefined;
  };
}
