import {
  checkHeader,
  type HandlerContext,
  type HeaderValue,
  type RpcFailure,
  throwingReturned,
} from "./handler.ts";
import type { NotModified } from "./reads.ts";

/* Calls handlers in unit tests, without a server. */

/** The `ctx` of any handler whose context and errors it has. */
export interface TestContext<Context, Errors> extends Omit<HandlerContext<Context>, "errors"> {
  readonly errors: Errors;
  /** The headers that the handler has set. */
  readonly headers: Readonly<Record<string, HeaderValue>>;
  readonly notModified: (version: string) => NotModified | undefined;
  readonly requireMatch: (version: string | undefined) => void;
}

/**
 * Creates the `ctx` of a handler: `testContext(rpcError, { context: { user: "Ann" } })`. Without other members, the caller
 * knows no version of a response.
 */
export function testContext<Errors, Context = undefined>(
  errors: Errors,
  members: Partial<Omit<TestContext<Context, Errors>, "errors" | "headers">> = {},
): TestContext<Context, Errors> {
  const headers: Record<string, HeaderValue> = {};
  return {
    method: { service: "Test", name: "Test", path: "/rpc/Test/Test", annotations: {} },
    requestId: "test-1",
    signal: new AbortController().signal,
    context: undefined as Context,
    errors,
    headers,
    setHeader: (name, value) => {
      checkHeader(name, value);
      const same = Object.keys(headers).find((key) => key.toLowerCase() === name.toLowerCase());
      if (same !== undefined) Reflect.deleteProperty(headers, same);
      headers[name] = value;
    },
    notModified: () => undefined,
    requireMatch: () => {},
    ...members,
  };
}

/**
 * Returns the response of a handler: `await expectOk(handlers.Get(ctx, { id: 1 }))`. Throws the error that it returned;
 * a stream throws it after its items.
 */
export async function expectOk<Result>(
  result: Result,
): Promise<Exclude<Awaited<Result>, RpcFailure | NotModified>> {
  const value = await result;
  if (value instanceof Error) throw value;
  return throwingReturned(value) as Exclude<Awaited<Result>, RpcFailure | NotModified>;
}
