import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import Router from "@koa/router";
import type { Context } from "koa";
import { RpcFailure } from "ridlkit-runtime/handler";
import { bodyOf } from "ridlkit-runtime/node";
import { protocolErrorCode } from "ridlkit-runtime/reply";
import { rpcError } from "../../../generated/server.ts";
import { pageToken } from "../../base/credentials/sandbox.ts";
import { dependencyFailure, retryAfterSeconds } from "../failures.ts";
import type { Live } from "../sandbox-page/live.ts";
import type { CollectionChoice } from "../sandbox-page/orders.ts";
import { isLocalRequest } from "./caller-address.ts";
import { sendFailure } from "./failure-response.ts";

/**
 * Serves the sandbox's own paths to this machine only: the explorer's initial values, live updates, trades, replay, and a
 * webhook receiver. A proxy on this machine looks like the machine itself, so callers also prove that they have read the terminal, by the
 * cookie of `/sandbox/open` or by the secret key. Errors have the form of the API's errors.
 */
export function sandboxPaths(live: Live, webrpc: string): Router {
  const router = new Router({ prefix: "/sandbox", sensitive: true, strict: true });
  router.use(async (ctx, next) => {
    if (isNetworkPath(ctx)) return next();
    ctx.set({ "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
    try {
      if (!isLocalRequest(ctx.req)) throw notLocal();
      if (!isOpenToAll(ctx) && !hasReadTerminal(ctx.req, live)) throw notOpened();
      await next();
    } catch (thrown) {
      if (!(thrown instanceof RpcFailure)) ctx.app.emit("error", thrown, ctx);
      sendFailure(ctx, webrpc, failureOf(thrown));
    }
  });
  router.get("/open", (ctx) => {
    if (!isSame(String(ctx.query["token"]), pageToken(live))) throw notOpened();
    const cookie = `${cookieName(ctx.req)}=${pageToken(live)}`;
    ctx.set("Set-Cookie", `${cookie}; Path=/sandbox; Max-Age=31536000; HttpOnly; SameSite=Strict`);
    ctx.set("Location", "/");
    ctx.status = 303;
    ctx.body = "";
  });
  router.get("/start", async (ctx) => {
    ctx.body = await live.start(receiverUrl(ctx.req));
  });
  router.get("/live", async (ctx) => {
    if (ctx.method === "HEAD") ctx.status = 200;
    else await stream(live, ctx);
  });
  router.post("/replay", async (ctx) => {
    const { chainId, sequence } = await readObject(ctx.req);
    if (!isWholeNumber(chainId) || !isWholeNumber(sequence))
      throw badRequest("expected chainId and sequence");
    ctx.body = { replayed: await live.replay(chainId, sequence) };
  });
  router.post("/trades", async (ctx) => {
    ctx.body = { trade: await makeTrade(live) };
  });
  router.post("/receiver/answers", async (ctx) => {
    const { status } = await readObject(ctx.req);
    if (!isWholeNumber(status) || status < 200 || status > 599)
      throw badRequest("expected status: 200 to 599");
    live.receiver.respondWith(status);
    ctx.body = {};
  });
  router.get("/receiver", async (ctx) => {
    ctx.body = { arrived: live.receiver.arrived() };
  });
  router.post("/receiver", async (ctx) => {
    const headers = ctx.req.headers as Readonly<Record<string, string>>;
    const url = `http://${ctx.req.headers.host}${ctx.path}`;
    ctx.status = await live.receiver.receive({ url, headers, body: await readText(ctx.req) });
    ctx.body = "";
  });
  router.all(unmatched, "/*path", (ctx, next) => {
    if (isNetworkPath(ctx)) return next();
    throw noRoute(ctx.matched ?? []);
  });
  return router;
}

const unmatched = "unmatched";

/** Notifications arrive without credentials, as at any receiver. */
function isOpenToAll({ method, path }: Context): boolean {
  return path === "/sandbox/open" || (path === "/sandbox/receiver" && method === "POST");
}

function hasReadTerminal(req: IncomingMessage, live: Live): boolean {
  const { authorization = "", cookie = "" } = req.headers;
  const [, secretKey = ""] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
  if (isSame(secretKey, live.secretKey)) return true;
  const prefix = `${cookieName(req)}=`;
  const found = cookie.split("; ").find((each) => each.startsWith(prefix));
  return found !== undefined && isSame(found.slice(prefix.length), pageToken(live));
}

/** Cookies ignore the port: each sandbox of this machine has its own. */
function cookieName({ socket }: IncomingMessage): string {
  return `sandbox_${socket.localPort}`;
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** `/sandbox/rpc/Marketplace/GetOrders`: a network may be named "sandbox". */
function isNetworkPath({ path }: Context): boolean {
  return path.startsWith("/sandbox/rpc/");
}

/** The URL of the sandbox's webhook receiver. Uses the IP address, which works under every host name. */
function receiverUrl({ socket }: IncomingMessage): string {
  const host = socket.localAddress?.includes(":") === true ? "[::1]" : "127.0.0.1";
  return `http://${host}:${socket.localPort}/sandbox/receiver`;
}

/** Most pages that watch at the same time: a browser opens one per tab. */
const watchersMax = 20;

/** Longest time between two messages, in milliseconds: below `silenceMaxMs`, after which the host closes a connection. */
const heartbeatMs = 10_000;

let watchers = 0;

/** Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html. */
async function stream(live: Live, ctx: Context): Promise<void> {
  if (watchers >= watchersMax) throw tooManyWatchers();
  const { res } = ctx;
  const closed = new AbortController();
  res.once("close", () => closed.abort());
  ctx.respond = false;
  res.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  watchers++;
  try {
    await writeEvents(
      res,
      live.watch(choiceOf(ctx), receiverUrl(ctx.req), AbortSignal.any([closed.signal, live.stop])),
    );
  } finally {
    watchers--;
    res.end();
  }
}

async function writeEvents(res: ServerResponse, updates: ReturnType<Live["watch"]>): Promise<void> {
  let sentAt = performance.now();
  for await (const changes of updates) {
    const isSilent = changes.length === 0;
    if (isSilent && performance.now() - sentAt < heartbeatMs) continue;
    sentAt = performance.now();
    const text = isSilent
      ? ":\n\n"
      : changes.map(({ part, json }) => `event: ${part}\ndata: ${json}\n\n`).join("");
    // Disconnects a page that does not read.
    if (!res.write(text) && res.writableLength > 8_000_000) return;
  }
}

/** `?collection=31337:0x…` */
function choiceOf({ query }: Context): CollectionChoice | undefined {
  const [, chainId, address] =
    /^([0-9]{1,15}):(0x[0-9a-f]{40})$/.exec(String(query["collection"] ?? "")) ?? [];
  return address === undefined ? undefined : { chainId: Number(chainId), address };
}

/** Largest body, in bytes. No notification is as large. */
const bodyMaxBytes = 1_048_576;

async function readText(req: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bodyOf(req)) {
    size += chunk.length;
    if (size > bodyMaxBytes) throw badRequest(`the body is larger than ${bodyMaxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function readObject(req: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const body = parsed(await readText(req));
  if (typeof body === "object" && body !== null) return body as Readonly<Record<string, unknown>>;
  throw badRequest("expected a JSON object");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function failureOf(thrown: unknown): RpcFailure {
  if (thrown instanceof RpcFailure) return thrown;
  return dependencyFailure(thrown) ?? rpcError.protocolError(protocolErrorCode.internalError);
}

/** Rejects a path without a route, or a method that its routes do not accept. */
function noRoute(
  matched: readonly { readonly name: string | undefined; readonly methods: readonly string[] }[],
): RpcFailure {
  const allowed = matched.filter(({ name }) => name !== unmatched).flatMap(({ methods }) => methods);
  if (allowed.length === 0)
    return rpcError.protocolError(protocolErrorCode.badRoute, {
      cause: "the sandbox has no such path",
      expose: true,
    });
  const methods = [...new Set(allowed)].sort().join(", ");
  return rpcError.protocolError(protocolErrorCode.badMethod, {
    cause: `this path accepts ${methods}`,
    expose: true,
    headers: { Allow: methods },
  });
}

async function makeTrade({ trades }: Live): Promise<string> {
  if (trades === undefined) throw badRequest("only npm start makes trades, and only with its local chain");
  try {
    return await trades.make();
  } catch (err) {
    // The reason helps developers of contracts, and only this machine can read it.
    const cause = err instanceof Error ? err.message : String(err);
    throw rpcError.Aborted({ cause: `the trade failed: ${cause}`, expose: true });
  }
}

function notLocal(): RpcFailure {
  const cause = "a sandbox only serves requests from its own machine";
  return rpcError.PermissionDenied({ cause, expose: true });
}

function notOpened(): RpcFailure {
  const cause =
    "open the address of the explorer that the sandbox has printed, or send its secret key: Authorization: BEARER ...";
  return rpcError.PermissionDenied({ cause, expose: true });
}

function tooManyWatchers(): RpcFailure {
  const cause = "too many pages are watching; close one";
  return rpcError.Overloaded({ cause, expose: true, headers: { "Retry-After": retryAfterSeconds } });
}

function badRequest(cause: string): RpcFailure {
  return rpcError.protocolError(protocolErrorCode.badRequest, { cause, expose: true });
}
