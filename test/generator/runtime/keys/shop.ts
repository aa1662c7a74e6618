import { fetchHandler } from "../../../../generator/runtime/src/fetch.ts";
import type { IdempotencyOptions } from "../../../../generator/runtime/src/idempotency.ts";
import type { ServerOptions } from "../../../../generator/runtime/src/options.ts";
import {
  createServer,
  type Handlers,
  memoryIdempotencyStore,
  type SchemaErrorName,
  type ShopHandlers,
} from "../../../fixtures/keys/generated/server.ts";

/** The name of the caller. */
export type Host = string;

export type AddOrder = ShopHandlers<Host>["AddOrder"];

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly key?: string;
  readonly caller?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Received {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

export interface Served {
  readonly send: (sent: Sent) => Promise<Received>;
  /** Number of handler runs so far. */
  readonly runs: () => number;
}

/** Serves handlers that count their runs. `addOrder` replaces the handler of AddOrder. */
export function shop(
  addOrder?: AddOrder,
  more: Partial<ServerOptions<Host, SchemaErrorName, Request>> = {},
  idempotency: Partial<IdempotencyOptions<Host>> = {},
): Served {
  let runs = 0;
  const order: AddOrder = (_ctx, { item }) => ({ order: { id: runs, item } });
  const counted =
    (handle: AddOrder): AddOrder =>
    (ctx, req) => {
      runs++;
      return handle(ctx, req);
    };
  const handlers: Handlers<Host> = {
    Shop: {
      AddOrder: counted(addOrder ?? order),
      AddNote: (_ctx, { item }) => ({ order: { id: ++runs, item } }),
      Clear: () => {
        runs++;
      },
      Plain: (_ctx, { item }) => ({ order: { id: ++runs, item } }),
      List: () => ({ orders: [] }),
    },
    Desk: {
      Put: (ctx, req) => {
        runs++;
        ctx.requireMatch("v1");
        return { order: { id: req.id, item: `${ctx.context} ${req.item}` } };
      },
    },
  };
  const serve = fetchHandler(
    createServer<Host, Request>(handlers, {
      context: (call) => call.header("x-caller") ?? "",
      ...more,
      idempotency: { store: memoryIdempotencyStore(), scope: (host) => host, ...idempotency },
    }),
  );
  async function send({
    method = "AddOrder",
    path,
    key,
    caller = "ada",
    body,
    headers,
  }: Sent): Promise<Received> {
    const response = await serve(
      new Request(`http://a${path ?? `/rpc/Shop/${method}`}`, {
        method: path === undefined ? "POST" : "PATCH",
        headers: {
          "Content-Type": "application/json",
          "X-Caller": caller,
          ...(key === undefined ? {} : { "Idempotency-Key": key }),
          ...headers,
        },
        body: body ?? '{"item":"pen"}',
      }),
    );
    return { status: response.status, body: await response.json(), headers: response.headers };
  }
  return { send, runs: () => runs };
}

export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
}

export function deferred<Value>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** The body of the error that refuses a call for its key. */
export function bodyOf(status: number, cause: string): unknown {
  return { error: "WebrpcBadRequest", code: -4, msg: "bad request", cause, status };
}
