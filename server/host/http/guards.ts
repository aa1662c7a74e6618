import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "koa";
import type { RpcFailure } from "ridlkit-runtime/handler";
import type { Guard } from "ridlkit-runtime/options";
import type { SchemaErrorName } from "../../../generated/server.ts";
import type { Attempt, Caller, Credentials } from "../../base/credentials/credentials.ts";
import { bytesPerCall, type ExceededLimit, type RateLimits } from "../../base/rate-limits.ts";
import type { ShareHolder } from "../../base/storage/connection-shares.ts";
import type { CallState } from "../observability/events.ts";
import type { CallContext } from "../services/call-context.ts";
import { addressForLimits, callerAddress, isLocalOrigin, type TrustedProxies } from "./caller-address.ts";
import type { CallerDatabase } from "./caller-database.ts";
import type { HostCall } from "./host-call.ts";
import { openStreams } from "./limits.ts";
import { pathNetworkOf } from "./network-path.ts";

type HostGuard = Guard<SchemaErrorName, Context>;

export interface GuardDependencies {
  readonly credentials: Credentials;
  readonly rateLimits: RateLimits;
  readonly trustedProxies: TrustedProxies;
  /** Origins, in addition to the host's own, whose pages may send secret keys. */
  readonly secretKeyOrigins: readonly string[];
}

/**
 * Returns the guards in the order in which a call passes them: limits of the address, credentials, limits of the project, shares of
 * the database.
 */
export function createGuards(
  dependencies: GuardDependencies,
  database: CallerDatabase,
): readonly HostGuard[] {
  return [
    limitAddress(dependencies),
    checkCredentials(dependencies),
    limitProject(dependencies),
    limitStreams(dependencies),
    (call) => database.rejectionOf(call),
  ];
}

export function callContext(
  call: HostCall,
  database: CallerDatabase,
  trustedProxies: TrustedProxies,
): CallContext {
  const { carrier } = call;
  const [holder] = holdersOf(call, trustedProxies);
  return {
    caller: callerOf(carrier),
    callerName: holder?.name ?? "",
    pathNetwork: pathNetworkOf(carrier),
    database: database.of(call),
  };
}

/** Returns the project and the address of a call: the call uses their shares of the database. */
export function holdersOf({ carrier }: HostCall, trustedProxies: TrustedProxies): readonly ShareHolder[] {
  const caller = callerOf(carrier);
  return [
    ...(caller === undefined ? [] : [{ name: `project ${caller.projectId}`, divisor: projectDivisor }]),
    { name: `address ${addressOf(carrier, trustedProxies)}`, divisor: addressDivisor },
  ];
}

/**
 * A holder may hold the number of free connections divided by its divisor. A project may hold as many as are free, so a project
 * alone gets half of all connections. An address may hold a third of the free ones: access keys are public, so one address must
 * leave some for the other addresses of its project.
 */
const projectDivisor = 1;
const addressDivisor = 3;

function limitAddress({ rateLimits, trustedProxies }: GuardDependencies): HostGuard {
  return async (call) => {
    const address = addressOf(call.carrier, trustedProxies);
    // Not awaited: without `catch`, a failed count would be an unhandled rejection.
    countBody(call.carrier.req, (bytes) => void rateLimits.countBody(address, bytes).catch(() => {}));
    const { cost } = call.method.annotations;
    if (cost !== undefined) void rateLimits.countFurther(address, Number(cost) - 1).catch(() => {});
    const exceeded = await rateLimits.countAddress(address);
    return exceeded === undefined ? undefined : rateLimited(call, exceeded);
  };
}

/**
 * Counts the size of a body once it is read. A chunked body does not announce its size, so the bytes that its connection has
 * received in the meantime are counted.
 */
function countBody(req: IncomingMessage, count: (bytes: number) => void): void {
  const announced = req.headers["content-length"];
  if (announced === undefined && req.headers["transfer-encoding"] === undefined) return;
  // Most bodies are too small to count.
  if (announced !== undefined && Number(announced) < bytesPerCall) return;
  const { socket } = req;
  const before = socket.bytesRead;
  req.once("end", () => count(announced === undefined ? socket.bytesRead - before : Number(announced)));
}

function checkCredentials(dependencies: GuardDependencies): HostGuard {
  return async (call) => {
    const { method, carrier } = call;
    const { auth, public: isPublic } = method.annotations;
    if (isPublic !== undefined) return undefined;
    const attempt: Attempt = {
      service: method.service,
      method: method.name,
      needsSecretKey: typeof auth === "string" && auth.split(",").includes("secretKey"),
      accessKey: call.header("x-access-key"),
      authorization: call.header("authorization"),
      origin: call.header("origin"),
      isOwnOrigin: (origin) =>
        dependencies.secretKeyOrigins.includes(origin) || isLocalOrigin(origin, carrier.req.socket.localPort),
    };
    const verdict = await dependencies.credentials.authorize(attempt);
    carrier.state["caller"] = verdict.caller;
    if (verdict.rejection === undefined) {
      if (method.annotations["resume"] !== undefined)
        endWithCredentials(carrier.res, attempt, dependencies.credentials);
      return undefined;
    }
    await dependencies.rateLimits.countRejectedCredentials(addressOf(carrier, dependencies.trustedProxies));
    const { kind, cause } = verdict.rejection;
    return call.errors[kind]({ cause, expose: true });
  };
}

/** How often the credentials of an open stream are checked, in milliseconds. */
const streamCheckMs = 10_000;

/** Ends a stream once its credentials are no longer valid. Clients connect again, and get the reason. */
function endWithCredentials(res: ServerResponse, attempt: Attempt, credentials: Credentials): void {
  if (res.closed) return;
  const timer = setInterval(async () => {
    // While the database does not respond, streams stay open.
    const verdict = await credentials.authorize(attempt).catch(() => undefined);
    if (verdict?.rejection !== undefined) res.destroy();
  }, streamCheckMs).unref();
  res.once("close", () => clearInterval(timer));
}

function limitProject({ rateLimits, trustedProxies }: GuardDependencies): HostGuard {
  return async (call) => {
    const caller = callerOf(call.carrier);
    if (caller === undefined) return undefined;
    const exceeded = await rateLimits.countProject({
      projectId: caller.projectId,
      accessKey: call.header("x-access-key") ?? "",
      address: addressOf(call.carrier, trustedProxies),
    });
    return exceeded === undefined ? undefined : rateLimited(call, exceeded);
  };
}

function limitStreams({ trustedProxies }: GuardDependencies): HostGuard {
  const open = new Map<string, number>();
  return async ({ method, carrier, errors }) => {
    const caller = callerOf(carrier);
    if (method.annotations["resume"] === undefined || caller === undefined || carrier.res.closed)
      return undefined;
    const project = `project ${caller.projectId}`;
    const limits = [
      { limit: "project", holder: project, max: openStreams.ofProject },
      {
        limit: "address-and-key",
        holder: `${project} ${addressOf(carrier, trustedProxies)}`,
        max: openStreams.ofAddress,
      },
    ] as const;
    for (const { limit, holder, max } of limits) {
      if ((open.get(holder) ?? 0) < max) continue;
      (carrier.state as CallState).rateLimit = limit;
      return errors.RateLimited({
        cause: `the ${limit.replaceAll("-", " ")} may have ${max} open streams`,
        expose: true,
        headers: { "Retry-After": streamRetrySeconds, "X-RateLimit-Scope": limit },
      });
    }
    for (const { holder } of limits) open.set(holder, (open.get(holder) ?? 0) + 1);
    carrier.res.once("close", () => {
      for (const { holder } of limits) {
        const left = (open.get(holder) ?? 1) - 1;
        if (left === 0) open.delete(holder);
        else open.set(holder, left);
      }
    });
    return undefined;
  };
}

/** Streams stay open for long. */
const streamRetrySeconds = "10";

/** Programs read the limit from X-RateLimit-Scope; the log and the metrics read it from the carrier's state. */
function rateLimited(
  call: HostCall,
  { limit, calls, waitSeconds }: ExceededLimit,
): RpcFailure<"RateLimited"> {
  (call.carrier.state as CallState).rateLimit = limit;
  return call.errors.RateLimited({
    cause: `the rate limit of the ${limit.replaceAll("-", " ")} is used up: ${calls} calls a minute${limit === "address" ? "; rejected credentials, large bodies and expensive methods count as several calls" : ""}`,
    expose: true,
    headers: { "Retry-After": String(waitSeconds), "X-RateLimit-Scope": limit },
  });
}

export function addressOf({ state, req }: Context, isTrusted: TrustedProxies): string {
  state["address"] ??= addressForLimits(callerAddress(req, isTrusted));
  return state["address"] as string;
}

function callerOf(carrier: Context): Caller | undefined {
  return carrier.state["caller"] as Caller | undefined;
}
