/** What the types of handlers must refuse. Checked by `npm run types`; each expected error is one that a reader of tsc sees. */
import type { Context } from "koa";
import { fetchHandler } from "../../generator/runtime/src/fetch.ts";
import { koaMiddleware } from "../../generator/runtime/src/koa.ts";
import { nodeListener } from "../../generator/runtime/src/node.ts";
import {
  createPartialServer,
  createServer,
  type Handlers,
  rpcError,
  type ShopHandlers,
} from "../fixtures/shop/generated/server.ts";

interface Account {
  readonly account: string;
}

const shop = {
  GetItem: (ctx, { id }) => {
    if (id === 0) return ctx.errors.NotFound({ cause: "ids start at 1", expose: true });
    return { item: { id, name: "pen" } };
  },
  Order: async (ctx, req) => {
    if (req.count === 0) throw ctx.errors.SoldOut();
  },
  Buy: (ctx, { price }) => (price > 0n ? { total: price } : ctx.errors.Unauthorized()),
  Ping: () => ({}),
  Echo: async (_ctx, { value }) => ({ value }),
} satisfies ShopHandlers;

const backOffice = {
  constructor: () => ({}),
  toString: (_ctx: unknown, { text }: { text: string }) => ({ text }),
};
const all = { Shop: shop, "v1/Back Office": backOffice } satisfies Handlers;
createServer(all);
createPartialServer({ Shop: shop });

// A handler is missing.
// @ts-expect-error Property 'Echo' is missing
({ GetItem: shop.GetItem, Order: shop.Order, Buy: shop.Buy, Ping: shop.Ping }) satisfies ShopHandlers;
// @ts-expect-error Property '"v1/Back Office"' is missing
createServer({ Shop: shop });

// A method has just its own errors: to take one out of the schema breaks the line that raises it.
export const undeclared: ShopHandlers["GetItem"] = (ctx) => {
  // @ts-expect-error Property 'SoldOut' does not exist on type 'ErrorMakers<"NotFound">'
  return ctx.errors.SoldOut();
};
// @ts-expect-error RpcFailure<"SoldOut"> is not one of this method's
export const elsewhere: ShopHandlers["GetItem"] = () => rpcError.SoldOut();
// @ts-expect-error nor where the reply has no fields
export const nothing: ShopHandlers["Ping"] = () => rpcError.SoldOut();
// @ts-expect-error nor where all fields of the reply are optional
export const optional: Handlers["v1/Back Office"]["constructor"] = () => rpcError.SoldOut();
export const declared: ShopHandlers["GetItem"] = () => rpcError.NotFound();
export const builtin: ShopHandlers["GetItem"] = () => rpcError.builtin(0);

// A reply has the fields of the schema.
// @ts-expect-error Property 'name' is missing
export const short: ShopHandlers["GetItem"] = (_ctx, { id }) => ({ item: { id } });
// @ts-expect-error string is no number
export const wrong: ShopHandlers["GetItem"] = async () => ({ item: { id: "1", name: "pen" } });
// @ts-expect-error a reply is needed
export const missing: ShopHandlers["Echo"] = () => {};
// @ts-expect-error a request has the fields of the schema
export const unknownField: ShopHandlers["Echo"] = (_ctx, { values }) => ({ value: values });

// A cause is public only as a text that says so.
// @ts-expect-error an error is not meant for callers
rpcError.NotFound({ cause: new Error("secret"), expose: true });
rpcError.NotFound({ cause: new Error("for the log") });
// @ts-expect-error there is no such error in the schema
rpcError.Teapot;

// The host's own context, where handlers want one, has to be made.
const counted = { ...shop, Ping: (ctx) => void ctx.host.account.length } satisfies ShopHandlers<Account>;
const withAccount: Handlers<Account> = { Shop: counted, "v1/Back Office": backOffice };
// @ts-expect-error options are missing
createServer(withAccount);
// @ts-expect-error 'context' is missing
createServer(withAccount, {});
// @ts-expect-error a context of another type
createServer(withAccount, { context: () => ({ account: 1 }) });
const portable = createServer(withAccount, { context: () => ({ account: "a" }) });
koaMiddleware(portable);
nodeListener(portable);
fetchHandler(portable);

// Hooks may raise any error of the schema, and may want Koa; then only Koa will do.
const onKoa = createServer(withAccount, {
  guards: [(call) => (call.header("x-key") === undefined ? call.errors.Unauthorized() : undefined)],
  context: (call: { readonly carrier: Context }) => ({ account: call.carrier.ip }),
});
koaMiddleware(onKoa);
// @ts-expect-error Node's request is no context of Koa
nodeListener(onKoa);
// @ts-expect-error no such error
createServer(all, { guards: [(call) => call.errors.Teapot()] });
createServer(all, { deadline: { ms: 10_000, error: (errors) => errors.Aborted() } });
