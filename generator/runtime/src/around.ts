import type { Awaitable, ByAnnotation, Found, HandlerContext, RpcFailure } from "./handler.ts";

/* The types of functions that run around handlers, such as transactions and spans. */

/**
 * Runs around the handlers of any method, before and after them, or responds instead. Returns what `next()` resolves to:
 *
 *     const timed: Around = async (ctx, _req, next) => {
 *       const startedAt = performance.now();
 *       try {
 *         return await next();
 *       } finally {
 *         report(ctx.method.name, performance.now() - startedAt);
 *       }
 *     };
 *
 * `next` runs the handler, once, and rejects with every error that the handler throws or returns. To end the call with
 * another error, throw it: the same errors are allowed as in the handler.
 */
export type Around<Context = unknown> = <Reply>(
  ctx: HandlerContext<Context>,
  req: unknown,
  next: Next<Context, Reply>,
) => Awaitable<Reply>;

/** Given a context, the handler receives this one: `next({ ...ctx.context, db: transaction })`. */
type Next<Context, Reply> = unknown extends Context
  ? () => Promise<Reply>
  : (context?: Context) => Promise<Reply>;

/** The option `around` of a server: functions for all methods, or for those of services and annotations. */
export type AroundEntry<Context, Handlers> =
  | Around<Context>
  // TypeScript 5 and 6 do not see by themselves that it fits each context.
  | Around
  | AroundServices<Handlers>
  | AroundAnnotated<Context>;

/** By the names of services: a function for all methods of the service, or functions by the names of methods. */
type AroundServices<Handlers> = {
  readonly [Service in keyof Handlers]?:
    | AroundOf<Handlers[Service][keyof Handlers[Service]]>
    | { readonly [Name in keyof Handlers[Service]]?: AroundOf<Handlers[Service][Name]> };
};

/** By the names of annotations: `"@auth"`. Those of `Annotated` see its context. */
type AroundAnnotated<Context> = {
  readonly [Name in keyof Found<Context> & string as string extends Name ? never : `@${Name}`]?: Around<
    Context & ByAnnotation<Context, Name>
  >;
} & { readonly [Name in `@${string}`]?: AroundMethods<Context>["around"] };

/** As a method, because those accept functions of narrower contexts. */
interface AroundMethods<Context> {
  around<Reply>(ctx: HandlerContext<Context>, req: unknown, next: Next<Context, Reply>): Awaitable<Reply>;
}

/** Runs around methods with known requests and responses. `Method` is the type of a handler, or a union of such types. */
type AroundOf<Method> = (
  ctx: CtxOf<Method>,
  req: Method extends (ctx: never, req: infer Request) => unknown ? Request : never,
  next: Next<ContextIn<CtxOf<Method>>, ReplyOf<Method>>,
) => Awaitable<ReplyOf<Method>>;

type CtxOf<Method> = Method extends (ctx: infer Ctx, req: never) => unknown ? Ctx : never;

type ContextIn<Ctx> = Ctx extends { readonly context: infer Context } ? Context : never;

type ReplyOf<Method> = Method extends (ctx: never, req: never) => infer Result
  ? Exclude<Awaited<Result>, RpcFailure>
  : never;
