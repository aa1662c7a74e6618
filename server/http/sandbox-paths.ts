import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context, Middleware } from "koa";
import type { Live } from "../live/live.ts";
import type { CollectionChoice } from "../live/orders.ts";
import { isLocalRequest } from "./local-page.ts";

/** What a sandbox alone answers, to this machine alone: what it starts with, what happens in it, a replay, and a receiver of webhooks. */
export function sandboxPaths(live: Live): Middleware {
  const answers: Readonly<Record<string, (ctx: Context) => Promise<void>>> = {
    "GET /sandbox/start": async (ctx) => {
      ctx.body = await live.start(receiverUrl(ctx.req));
    },
    "GET /sandbox/live": (ctx) => stream(live, ctx),
    "POST /sandbox/replay": async (ctx) => {
      const { chainId, sequence } = await readObject(ctx.req);
      if (!isCount(chainId) || !isCount(sequence)) return refuse(ctx, 400, "expected chainId and sequence");
      ctx.body = { replayed: await live.replay(chainId, sequence) };
    },
    "POST /sandbox/receiver/answers": async (ctx) => {
      const { status } = await readObject(ctx.req);
      if (!isCount(status) || status < 200 || status > 599) return refuse(ctx, 400, "expected a status");
      live.receiver.answerWith(status);
      ctx.body = {};
    },
    "GET /sandbox/receiver": async (ctx) => {
      ctx.body = { arrived: live.receiver.arrived() };
    },
    "POST /sandbox/receiver": async (ctx) => {
      const headers = ctx.req.headers as Readonly<Record<string, string>>;
      const url = `http://${ctx.req.headers.host}${ctx.path}`;
      ctx.status = await live.receiver.take({ url, headers, body: await readText(ctx.req) });
      ctx.body = "";
    },
  };
  return async (ctx, next) => {
    const answer = answers[`${ctx.method} ${ctx.path}`];
    if (answer === undefined) return next();
    ctx.set({ "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
    if (!isLocalRequest(ctx.req)) return refuse(ctx, 403, "a sandbox answers pages of its own machine only");
    try {
      await answer(ctx);
    } catch (err) {
      if (!(err instanceof BodyFault)) throw err;
      refuse(ctx, 400, err.message);
    }
  };
}

/** Where webhooks of the sandbox can be sent: by the address, which means this machine under every name it has. */
function receiverUrl({ socket }: IncomingMessage): string {
  const host = socket.localAddress?.includes(":") === true ? "[::1]" : "127.0.0.1";
  return `http://${host}:${socket.localPort}/sandbox/receiver`;
}

/** Pages that watch at once: a browser opens one a tab. */
const watchersMax = 20;

/** Time between two signs of life, in milliseconds: below the silence after which the host ends a connection. */
const lifeMs = 10_000;

let watchers = 0;

/** Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html. */
async function stream(live: Live, ctx: Context): Promise<void> {
  if (watchers >= watchersMax) return refuse(ctx, 503, "too many pages watch already; close one");
  const { res } = ctx;
  const gone = new AbortController();
  res.once("close", () => gone.abort());
  ctx.respond = false;
  res.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  watchers++;
  try {
    await write(
      res,
      live.watch(choiceOf(ctx), receiverUrl(ctx.req), AbortSignal.any([gone.signal, live.stop])),
    );
  } finally {
    watchers--;
    res.end();
  }
}

async function write(res: ServerResponse, looks: ReturnType<Live["watch"]>): Promise<void> {
  let saidAt = performance.now();
  for await (const changes of looks) {
    const isSilent = changes.length === 0;
    if (isSilent && performance.now() - saidAt < lifeMs) continue;
    saidAt = performance.now();
    const text = isSilent
      ? ":\n\n"
      : changes.map(({ part, json }) => `event: ${part}\ndata: ${json}\n\n`).join("");
    // Who does not read is not written to without end.
    if (!res.write(text) && res.writableLength > 8_000_000) return;
  }
}

/** `?collection=31337:0x…` */
function choiceOf({ query }: Context): CollectionChoice | undefined {
  const [, chainId, address] =
    /^([0-9]{1,15}):(0x[0-9a-f]{40})$/.exec(String(query["collection"] ?? "")) ?? [];
  return address === undefined ? undefined : { chainId: Number(chainId), address };
}

class BodyFault extends Error {
  override readonly name = "BodyFault";
}

/** Above the largest notification, in bytes. */
const bodyMaxBytes = 1_048_576;

async function readText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyMaxBytes) throw new BodyFault(`the body is larger than ${bodyMaxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function readObject(req: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  try {
    const read: unknown = JSON.parse(await readText(req));
    if (typeof read === "object" && read !== null) return read as Readonly<Record<string, unknown>>;
  } catch (err) {
    if (err instanceof BodyFault) throw err;
  }
  throw new BodyFault("expected a JSON object");
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function refuse(ctx: Context, status: number, error: string): void {
  ctx.status = status;
  ctx.body = { error };
}
