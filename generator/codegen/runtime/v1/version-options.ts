/** The options of a server for calls of an earlier version. Hooks see the current version only. */
import type { ErrorMakers, RpcFailure } from "./failure.ts";
import type { MethodInfo } from "./handler.ts";
import type { Call, ServerOptions } from "./hooks.ts";
// @if keys
import type { IdempotencyOptions } from "./idempotency.ts";
// @end

/** What the options of an earlier version need. */
export interface HookParts {
  readonly version: string;
  /** The errors of the current version. */
  readonly errors: ErrorMakers<string>;
  /** Returns the method of the current version; the earlier one if it was removed. */
  infoOf(info: MethodInfo): MethodInfo;
  /** Converts a request to the current version. Throws the refusal. */
  request(info: MethodInfo, request: unknown): unknown;
  /** Returns an error of the current version as the earlier one knows it, and other values unchanged. */
  failure<Value>(thrown: Value): Value;
}

type Options<Carrier> = ServerOptions<unknown, string, Carrier>;

/** Recordings contain calls of the current version only. */
export function olderOptions<Carrier>(
  { recorder: _current, ...options }: Options<Carrier>,
  parts: HookParts,
): Options<Carrier> {
  const { guards, context, checkRequest, failureOf, onDone, deadline } = options;
  const currentCall = (call: Call<string, Carrier>): Call<string, Carrier> => new CurrentCall(call, parts);
  const { failure } = parts;
  return {
    ...options,
    ...(guards && {
      guards: guards.map((guard) => failing(failure, async (call) => guard(currentCall(call)))),
    }),
    ...(context && { context: failing(failure, async (call) => context(currentCall(call))) }),
    ...(checkRequest && {
      checkRequest: (call, request, host) => {
        try {
          const converted = parts.request(call.method, request);
          return failure(checkRequest(currentCall(call), converted, host));
        } catch (thrown) {
          throw failure(thrown);
        }
      },
    }),
    ...(failureOf && { failureOf: (thrown) => failure(failureOf(thrown)) }),
    ...(deadline && { deadline: { ms: deadline.ms, error: () => failure(deadline.error(parts.errors)) } }),
    ...(onDone && {
      onDone: (log) => onDone({ ...log, method: log.method && parts.infoOf(log.method) }),
    }),
    // @if keys
    ...(options.idempotency && { idempotency: olderIdempotency(options.idempotency, parts.version) }),
    // @end
  };
}

/** Converts the failures that a hook returns or throws. */
function failing<Carrier, Result>(
  failure: HookParts["failure"],
  hook: (call: Call<string, Carrier>) => Promise<Result | RpcFailure>,
): (call: Call<string, Carrier>) => Promise<Result | RpcFailure> {
  return async (call) => {
    try {
      return failure(await hook(call));
    } catch (thrown) {
      throw failure(thrown);
    }
  };
}

/** A call with the method and the errors of the current version. */
class CurrentCall<Carrier> implements Call<string, Carrier> {
  readonly method: MethodInfo;
  readonly errors: ErrorMakers<string>;
  readonly #call: Call<string, Carrier>;

  constructor(call: Call<string, Carrier>, { errors, infoOf }: HookParts) {
    this.method = infoOf(call.method);
    this.errors = errors;
    this.#call = call;
  }

  get requestId(): string {
    return this.#call.requestId;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get carrier(): Carrier {
    return this.#call.carrier;
  }

  header(name: string): string | undefined {
    return this.#call.header(name);
  }
}
// @if keys

/** A response that was kept for a caller of one version never reaches a caller of another version. */
function olderIdempotency(options: IdempotencyOptions, version: string): IdempotencyOptions {
  const prefix = `${version} `;
  return {
    ...options,
    store: {
      run: async (use, host, handle) => {
        const outcome = await options.store.run(use, host, async (own) => {
          const kept = await handle(own);
          return kept && { ...kept, fingerprint: prefix + kept.fingerprint };
        });
        if (typeof outcome === "string") return outcome;
        const { fingerprint } = outcome;
        const isOwn = fingerprint.startsWith(prefix);
        return { ...outcome, fingerprint: isOwn ? fingerprint.slice(prefix.length) : `other ${fingerprint}` };
      },
    },
  };
}
// @end
