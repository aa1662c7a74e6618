/** What the types of handlers must refuse. Checked by `npm run types`; each expected error is one that a reader of tsc sees. */
import type { Context } from "koa";
import type { Around } from "../../generator/runtime/src/around.ts";
import { fetchHandler } from "../../generator/runtime/src/fetch.ts";
import type { Annotated } from "../../generator/runtime/src/handler.ts";
import { koaMiddleware } from "../../generator/runtime/src/koa.ts";
import { nodeListener } from "../../generator/runtime/src/node.ts";
import type { Call, Guard, ServerOptions } from "../../generator/runtime/src/options.ts";
import {
  createServer as createKeyedServer,
  type IdempotencyStore,
  type Handlers as KeyedHandlers,
  memoryIdempotencyStore,
} from "../fixtures/keys/generated/server.ts";
import {
  createPartialServer,
  createServer,
  type Handlers,
  rpcError,
  type SchemaErrorName,
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
export const protocolError: ShopHandlers["GetItem"] = () => rpcError.protocolError(0);

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
const counted = { ...shop, Ping: (ctx) => void ctx.context.account.length } satisfies ShopHandlers<Account>;
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

// Functions around handlers know what the methods of their place know.
createServer(all, {
  around: [
    (_ctx, _req, next) => next(),
    {
      "@auth": (ctx, _req, next) => {
        if (ctx.requestId === "") throw rpcError.RateLimited();
        return next();
      },
      Shop: {
        GetItem: async (ctx, { id }, next) => {
          if (id === 0) throw ctx.errors.NotFound();
          const { item } = await next();
          return { item: { ...item, note: "seen" } };
        },
      },
    },
    {
      Shop: async (_ctx, req, next) => {
        if ("price" in req) return { total: req.price };
        return next();
      },
    },
  ],
});
// @ts-expect-error the response of next() has to be returned
createServer(all, { around: [async (_ctx, _req, next) => void (await next())] });
// @ts-expect-error a function for all methods cannot know their responses
createServer(all, { around: [async () => ({ item: { id: 1, name: "pen" } })] });
// @ts-expect-error there is no such method
createServer(all, { around: [{ Shop: { GetItems: (_ctx, _req, next) => next() } }] });
// @ts-expect-error a wrong response
createServer(all, { around: [{ Shop: { GetItem: async () => ({ item: { id: 1 } }) } }] });
// @ts-expect-error there is no such service, so its function has no types either
createServer(all, { around: [{ Shops: (...given) => given[2]() }] });
// @ts-expect-error there is no such annotation
createServer(all, { around: [{ "@atuh": (_ctx, _req, next) => next() }] });
// @ts-expect-error there is no such annotation
createServer(all, { annotations: { atuh: (call) => call.errors.RateLimited() } });

// A function fits every server whose context has what it needs, at every place.
const context = () => ({ account: "a", language: "en" });
type Wide = ReturnType<typeof context>;
const withWide: Handlers<Wide> = withAccount;
const needsAccount: Around<Account> = (ctx, _req, next) => next({ ...ctx.context, account: "b" });
const needsNothing: Around = (_ctx, _req, next) => next();
const everywhere = [needsAccount, needsNothing].flatMap((each) => [
  each,
  { "@auth": each, Shop: each },
  { Shop: { GetItem: each, Ping: each } },
]);
createServer(withWide, { context, around: everywhere });
createServer<Wide>(withWide, { context, around: everywhere });
createServer(withWide, { context, around: [needsAccount, { "@auth": needsAccount, Shop: needsAccount }] });
createServer(withWide, { context, around: [{ Shop: { GetItem: needsAccount, Ping: needsNothing } }] });
// @ts-expect-error the context has no account
createServer<number>(all, { context: () => 1, around: [needsAccount] });
const seat = { context: () => ({ seat: 1 }) };
declare const withSeat: Handlers<{ readonly seat: number }>;
// @ts-expect-error nor for all methods
createServer(withSeat, { ...seat, around: [needsAccount] });
// @ts-expect-error nor for those with an annotation
createServer(withSeat, { ...seat, around: [{ "@auth": needsAccount }] });
// @ts-expect-error nor for those of a service
createServer(withSeat, { ...seat, around: [{ Shop: needsAccount }] });
// @ts-expect-error nor for one
createServer(withSeat, { ...seat, around: [{ Shop: { GetItem: needsAccount } }] });

// Inline functions have types, with and without the type of the context, and where methods take idempotency keys.
createServer(withWide, {
  context,
  around: [
    async (ctx, _req, next) => next({ ...ctx.context, account: ctx.context.language }),
    { "@auth": async (ctx, _req, next) => next({ ...ctx.context, language: "de" }) },
    { Shop: async (ctx, _req, next) => next({ ...ctx.context, language: "de" }) },
    { Shop: { GetItem: async (ctx, { id }, next) => (id === 1 ? next() : next({ ...ctx.context })) } },
  ],
});
createServer<Wide>(withWide, { context, around: [async (ctx, _req, next) => next(ctx.context)] });
createPartialServer(withWide, { context, around: [async (ctx, _req, next) => next(ctx.context)] });
declare const keyed: KeyedHandlers;
createKeyedServer(keyed, {
  idempotency: { store: memoryIdempotencyStore(), scope: () => "" },
  guards: [(call) => (call.header("x-key") === undefined ? call.errors.Busy() : undefined)],
  around: [
    async (_ctx, _req, next) => next(),
    { "@idempotencyKey": (_ctx, _req, next) => next() },
    { Shop: { AddOrder: async (_ctx, { item }, next) => (item === "" ? next() : await next()) } },
  ],
});
declare const keyedWide: KeyedHandlers<Wide>;
const keptInMemory = memoryIdempotencyStore();
createKeyedServer(keyedWide, {
  context,
  idempotency: { store: keptInMemory, scope: ({ account }) => account },
  around: [async (ctx, _req, next) => next({ ...ctx.context, account: "b" })],
});
const keptByAccount: IdempotencyStore<Account> = {
  run: (use, host, handle) => keptInMemory.run(use, host, () => handle({ ...host, account: "b" })),
};
createKeyedServer(keyedWide, { context, idempotency: { store: keptByAccount, scope: () => "" } });
createKeyedServer(keyed, {
  // @ts-expect-error the context has no account
  idempotency: { store: keptByAccount, scope: () => "" },
});
// @ts-expect-error other fields would get lost
createServer(withWide, { context, around: [(_ctx, _req, next) => next({ account: "b" })] });
// @ts-expect-error other fields would get lost
export const forgetful: Around<Account> = (_ctx, _req, next) => next({ account: "b" });

// Hooks that use no error fit every server.
declare const hooks: Required<Pick<ServerOptions<Account>, "context" | "onResponse">>;
declare const guard: Guard;
createServer(withAccount, { ...hooks, guards: [guard] });

// A hook of an annotation adds to the host of its methods.
type Known = Annotated<Account, { auth: { readonly user: string } }>;
const knowing = {
  ...shop,
  GetItem: (ctx, { id }) => ({ item: { id, name: ctx.context.user, note: ctx.context.account } }),
  // @ts-expect-error Ping has no @auth
  Ping: (ctx) => void ctx.context.user,
} satisfies ShopHandlers<Known>;
const withUser: Handlers<Known> = { Shop: knowing, "v1/Back Office": backOffice };
const auth = (call: Call<SchemaErrorName>, { account }: Account) =>
  account === "" ? call.errors.Unauthorized() : { user: account };
createServer(withUser, { context, annotations: { auth } });
const needsUser: Around<{ readonly user: string }> = (ctx, _req, next) =>
  ctx.context.user === "" ? next() : next({ ...ctx.context });
const forKnown: Around<Known> = (ctx, _req, next) => next({ ...ctx.context, account: "c" });
createServer(withUser, {
  context,
  annotations: {
    auth: (call, host) => (call.header("x") ? call.errors.Unauthorized() : { user: host.account }),
  },
  around: [
    {
      "@auth": (ctx, _req, next) => next({ ...ctx.context, user: ctx.context.user }),
      "@readonly": (ctx, _req, next) => next({ ...ctx.context, account: "b" }),
      Shop: (ctx, _req, next) => next({ ...ctx.context, account: "b" }),
    },
    { Shop: { GetItem: (ctx, _req, next) => next({ ...ctx.context, user: ctx.context.user }) } },
    ...[forKnown, needsAccount, needsNothing].flatMap((each) => [
      each,
      { "@auth": each, "@readonly": each, Shop: each },
      { Shop: { GetItem: each, Ping: each } },
    ]),
    { "@auth": needsUser, Shop: { GetItem: needsUser } },
  ],
});
// @ts-expect-error only some methods have a user
createServer(withUser, { context, annotations: { auth }, around: [needsUser] });
// @ts-expect-error methods with @readonly may lack @auth
createServer(withUser, { context, annotations: { auth }, around: [{ "@readonly": needsUser }] });
// @ts-expect-error not all methods of the service have @auth
createServer(withUser, { context, annotations: { auth }, around: [{ Shop: needsUser }] });
// @ts-expect-error Ping has no @auth
createServer(withUser, { context, annotations: { auth }, around: [{ Shop: { Ping: needsUser } }] });
// @ts-expect-error 'annotations' is missing
createServer(withUser, { context });
// @ts-expect-error a hook finds something else
createServer(withUser, { context, annotations: { auth: () => ({ user: 1 }) } });
// Without a context, only hooks of annotations make hosts.
const onlyUser: Pick<Handlers<Annotated<unknown, { auth: { user: string } }>>, "Shop"> = {
  Shop: { ...shop, GetItem: (ctx, { id }) => ({ item: { id, name: ctx.context.user } }) },
};
createPartialServer(onlyUser, { annotations: { auth: () => ({ user: "Ann" }) } });
// Any server may check annotations.
createServer(all, { annotations: { auth: (call) => call.errors.RateLimited(), readonly: () => {} } });

// A hook sees what others found, which may be missing: each method has its own annotations, and hooks have an order.
type Level = Annotated<
  { readonly user: string | null },
  { auth: { user: string }; readonly: { level: number } }
>;
declare const withLevel: Handlers<Level>;
createServer(withLevel, {
  context: () => ({ user: null }),
  annotations: {
    auth: (call, { user }) => (user === null ? call.errors.Unauthorized() : { user }),
    readonly: (_call, { user, level }) => ({ level: user === null ? 0 : (level ?? 1) }),
  },
});
createServer(withLevel, {
  context: () => ({ user: null }),
  // @ts-expect-error another hook may run first, or none
  annotations: { auth: (_call, { level }) => ({ user: level.toFixed() }), readonly: () => ({ level: 1 }) },
});
// The hooks of other annotations are optional.
createServer(withUser, { context, annotations: { auth, readonly: (_call, { user }) => void user?.length } });
// @ts-expect-error a hook that rejects a call returns an error
createServer(withUser, { context, annotations: { auth, readonly: (call) => call.header("x") === "1" } });
// @ts-expect-error there is no such annotation
createServer(withUser, { context, annotations: { auth, atuh: () => {} } });

// Options that see the calls of all methods know what the hooks of annotations found, if the method has them.
declare const keyedKnown: KeyedHandlers<Annotated<Account, { idempotencyKey: { readonly user: string } }>>;
const store = memoryIdempotencyStore();
createKeyedServer(keyedKnown, {
  context,
  annotations: { idempotencyKey: () => ({ user: "Ann" }) },
  checkRequest: (call, _request, { user }) => (user === "" ? call.errors.SoldOut() : undefined),
  idempotency: { store, scope: ({ user, account }) => user ?? account },
});
createKeyedServer(keyedKnown, {
  context,
  annotations: { idempotencyKey: () => ({ user: "Ann" }) },
  // @ts-expect-error only some methods have a user
  idempotency: { store, scope: ({ user }) => user },
});

// Handlers of one output fit the server of another, also if each has a copy of the runtime.
interface CopiedFailure extends Error {
  readonly "~raises": "NotFound";
  readonly code: number;
  readonly status: number;
}
declare const failure: CopiedFailure;
export const copied: ShopHandlers["GetItem"] = () => failure;
