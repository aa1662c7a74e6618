import type { Awaitable, ByAnnotation, HandlerContext, RpcFailure } from "./handler.ts";

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
 *
 * `Around<{ db: Database }>` fits every server whose context has `db`. Given a context, the handler receives this one:
 * `next({ ...ctx.context, db: transaction })`.
 */
export type Around<in Needs = unknown> = <Context, Reply>(
  ctx: HandlerContext<Context & Needs>,
  req: unknown,
  next: (context?: Context & Needs) => Promise<Reply>,
) => Awaitable<Reply>;

/** The option `around` of a server: functions for all methods, or for those of services and annotations. */
export type AroundEntry<Context, Handlers, AnnotationName extends string> =
  | Around<Context>
  | (AroundServices<Handlers> & AroundAnnotated<Context, AnnotationName>);

/** By the names of services: a function for all methods of the service, or functions by the names of methods. */
type AroundServices<Handlers> = {
  readonly [Service in keyof Handlers]?:
    | AroundOf<Handlers[Service][keyof Handlers[Service]]>
    | { readonly [Name in keyof Handlers[Service]]?: AroundOf<Handlers[Service][Name]> };
};

/** By the names of annotations: `"@auth"`. Those of `Annotated` see its context. */
type AroundAnnotated<Context, AnnotationName extends string> = {
  readonly [Name in AnnotationName as `@${Name}`]?: Around<Context & ByAnnotation<Context, Name>>;
};

/** Runs around methods with known requests and responses. `Method` is the type of a handler, or a union of such types. */
type AroundOf<Method> = <Context>(
  ctx: Omit<CtxOf<Method>, "context"> & { readonly context: Context & CtxOf<Method>["context"] },
  req: Method extends (ctx: never, req: infer Request) => unknown ? Request : never,
  next: (context?: Context & CtxOf<Method>["context"]) => Promise<ReplyOf<Method>>,
) => Awaitable<ReplyOf<Method>>;

type CtxOf<Method> = Method extends (
  ctx: infer Ctx extends HandlerContext<unknown, never>,
  req: never,
) => unknown
  ? Ctx
  : never;

type ReplyOf<Method> = Method extends (ctx: never, req: never) => infer Result
  ? Exclude<Awaited<Result>, RpcFailure>
  : never;
