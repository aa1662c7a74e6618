import type { Context } from "koa";
import type { RpcFailure } from "ridlkit-runtime/handler";
import type { Call } from "ridlkit-runtime/options";
import type { SchemaErrorName } from "../../../generated/server.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import type { CallContext } from "../services/call-context.ts";

type HostCall = Call<SchemaErrorName, Context>;
type Rejection = RpcFailure<"PermissionDenied" | "InvalidArgument">;
type RequestCheck = (call: HostCall, request: unknown, context: CallContext) => Rejection | undefined;

/** Checks rules that apply to all methods and that the schema cannot express. */
export function createRequestChecks(networks: Networks): RequestCheck {
  const checkNetwork = networkCheck(networks);
  return (call, request, context) =>
    checkProject(call, request, context) ?? checkNetwork(call, request, context);
}

/** Fields that name projects. Official clients spell the second one `projectID`. */
interface Projects {
  readonly projectId?: unknown;
  readonly listener?: { readonly projectID?: unknown };
}

/** A project in the body must be the project of the keys. */
function checkProject(call: HostCall, request: unknown, { caller }: CallContext): Rejection | undefined {
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

/** A network in the body must be served, and must match the network of the path if there is one. */
function networkCheck(networks: Networks): RequestCheck {
  return (call, request, { pathNetwork }) => {
    const { chainId } = request as { readonly chainId?: string };
    const network = networks.forCall({ pathNetwork, chainId });
    return typeof network === "string"
      ? call.errors.InvalidArgument({ cause: network, expose: true })
      : undefined;
  };
}
