import { lookUp, type MethodDefinition } from "./definition.ts";
import { describeIssues, type ErrorInfo } from "./errors.ts";
import { isPromiseLike } from "./exchange.ts";
import {
  type ErrorMakers,
  errorMakers,
  type FailureAbout,
  type HandlerContext,
  type MethodInfo,
  RpcFailure,
} from "./handler.ts";
import type { IdempotencyOptions } from "./idempotency.ts";
import type { KeptVersion } from "./kept-version.ts";
import { type Call, contextHook, type ServerOptions } from "./options.ts";
import { DelegatedContext, NotModified, type ReadContext, type WriteContext } from "./reads.ts";
import { protocolErrorCode, type StartReply } from "./reply.ts";
import { createRpcServer, type RpcServer } from "./server.ts";
import {
  type ConversionPath,
  type CurrentVersion,
  type NextVersion,
  outdated,
  protocolFailure,
  VersionConverter,
} from "./version-paths.ts";

/* Serves a kept version of an API with the handlers of the current one. */

/** The server of a kept version. */
export interface KeptServer<Carrier> {
  readonly version: string;
  readonly server: RpcServer<Carrier>;
  /** Returns the method of the current version; the same one if it was removed. */
  readonly infoOf: (info: MethodInfo) => MethodInfo;
}

/** `own`: what `keptAsNext` returned for this version. */
export class Bridge<Carrier> {
  readonly #kept: KeptVersion;
  readonly #own: NextVersion;
  readonly #current: CurrentVersion<Carrier>;
  readonly #converter: VersionConverter;
  /** The requests that the option `checkRequest` has received, as converted for it. */
  readonly #checked: WeakMap<object, unknown> = new WeakMap();

  constructor(kept: KeptVersion, own: NextVersion, current: CurrentVersion<Carrier>) {
    this.#kept = kept;
    this.#own = own;
    this.#current = current;
    this.#converter = new VersionConverter(current.api, kept.version, current.version);
  }

  server(): KeptServer<Carrier> {
    const { api, options } = this.#current;
    const { version } = this.#kept;
    const services = this.#own.api.services.filter((service) => this.#isServed(service.methods));
    const infoOf = (info: MethodInfo): MethodInfo => this.#conversionOf(info.path)?.target.info ?? info;
    const errors = [...this.#own.errors.values()].map(({ info }) => info);
    const currentErrors = new Map([...this.#own.errors].map(([current, { info }]) => [info.name, current]));
    const ownApi = {
      ...this.#own.api,
      schemaErrors: [...new Set([...errors, ...this.#own.api.schemaErrors])],
      unlisted: api.unlisted?.map((name) => this.#errorName(name)) ?? [],
      services: services.map(({ name, methods }) => ({
        name,
        methods: methods.map((method) => this.#definition(method)),
      })),
    };
    const handlers = recordOf(services, ({ name: service, methods }) =>
      recordOf(methods, ({ name, path }) => this.#handler(service, name, path)),
    );
    const ownOptions = olderOptions(options, {
      version,
      errors: errorMakers<string>(api.schemaErrors),
      infoOf,
      errorOf: (error) => currentErrors.get(error.name) ?? error,
      request: (info, request) => {
        const conversion = this.#conversionOf(info.path);
        const converted = conversion === undefined ? request : this.#converter.request(conversion, request);
        this.#checked.set(request as object, converted);
        return converted;
      },
      failure: (thrown) => this.#failure(thrown, undefined),
    });
    return { version, server: createRpcServer(ownApi, handlers, [ownOptions]), infoOf };
  }

  /** Undefined for unknown and removed methods. */
  #conversionOf(path: string): ConversionPath | undefined {
    const found = this.#own.methods.get(path);
    return found?.kind === "converted" ? found : undefined;
  }

  /** A service without handlers is not served in any version. */
  #isServed(methods: readonly MethodDefinition[]): boolean {
    const targets = methods.flatMap(({ path }) => this.#conversionOf(path)?.target ?? []);
    return targets.every(({ info }) => lookUp(this.#current.handlers, info.service) !== undefined);
  }

  /** Calls have the form of the kept version. What handlers and caches may do depends on the current one. */
  #definition(method: MethodDefinition): MethodDefinition {
    const conversion = this.#conversionOf(method.path);
    if (conversion === undefined) return method;
    const current = conversion.target.definition;
    const own: { -readonly [Key in keyof MethodDefinition]: MethodDefinition[Key] } = { ...method };
    delete own.errors;
    if (current.errors !== undefined) own.errors = current.errors.map((name) => this.#errorName(name));
    delete own.headers;
    if (current.headers !== undefined) own.headers = current.headers;
    if (own.reply !== undefined) own.reply = this.#reply(own.reply, conversion);
    delete own.unmatched;
    if (current.unmatched !== undefined) own.unmatched = this.#errorName(current.unmatched);
    if (own.read !== undefined) own.read = current.read ?? { cacheControl: "no-store" };
    return own;
  }

  #errorName(name: string): string {
    const current = this.#current.api.schemaErrors.find((error) => error.name === name);
    return (current && this.#own.errors.get(current))?.info.name ?? name;
  }

  /** Converts the items of a stream one by one. */
  #reply(reply: StartReply, conversion: ConversionPath): StartReply {
    return (returned, call) =>
      reply(returned, {
        ...call,
        encode: (item) => {
          try {
            if (this.#current.options.checkResponses === true)
              this.#requireValid(conversion.target.info, item);
            return call.encode(this.#converter.response(conversion, item));
          } catch (thrown) {
            return call.fail(thrown);
          }
        },
        fail: (thrown) => call.fail(this.#failure(thrown, conversion)),
      });
  }

  #handler(
    service: string,
    name: string,
    path: string,
  ): (ctx: HandlerContext<unknown>, request: unknown) => unknown {
    const conversion = this.#own.methods.get(path);
    if (conversion?.kind !== "converted") {
      const reason = `${service}.${name} does not exist in ${conversion?.in ?? this.#current.version}`;
      return () => outdated(this.#current.api, `${reason}: regenerate the client`);
    }
    const { info, errors, definition } = conversion.target;
    const handlers = lookUp(this.#current.handlers, info.service) as object;
    const handle = (lookUp(handlers, info.name) as Handle).bind(handlers);
    const parts = { info, errors, version: this.#kept.version };
    const isPlain = definition.reply === undefined;
    const returned = (value: unknown): unknown => {
      if (value instanceof Error) return this.#failure(value, conversion);
      if (value instanceof NotModified) return value;
      if (!isPlain) return value;
      if (this.#current.options.checkResponses === true) this.#requireValid(info, value);
      try {
        return this.#converter.response(conversion, value);
      } catch (refusal) {
        this.#requireValid(info, value);
        throw refusal;
      }
    };
    const rethrow = (thrown: unknown): never => {
      throw this.#failure(thrown, conversion);
    };
    return (ctx, request) => {
      const converted = this.#checked.get(request as object) ?? this.#converter.request(conversion, request);
      let result: unknown;
      try {
        result = handle(new VersionContext(ctx, parts), converted);
      } catch (thrown) {
        return rethrow(thrown);
      }
      return isPromiseLike(result) ? result.then(returned, rethrow) : returned(result);
    };
  }

  /** A response that breaks the rules of its own version is a fault of the server, not of an old client. */
  #requireValid({ path }: MethodInfo, response: unknown): void {
    const { api } = this.#current;
    const issues = api.validators.responses[path]?.check(response);
    if (issues !== undefined)
      throw protocolFailure(api, protocolErrorCode.badResponse, { cause: describeIssues(issues) });
  }

  /** Returns an error of the current version as this version knows it. Other values are unchanged. */
  #failure<Value>(thrown: Value, conversion: ConversionPath | undefined): Value {
    const raised = RpcFailure.read(thrown);
    if (raised === undefined || conversion?.target.raised.has(raised.info) === false) return thrown;
    const older = this.#own.errors.get(raised.info) ?? { info: raised.info, steps: undefined };
    const { info, steps } = older;
    if (info === raised.info) return thrown;
    const { publicCause, headers } = raised;
    const more = headers === undefined ? {} : { headers };
    const about: FailureAbout =
      publicCause === undefined
        ? { cause: (thrown as { readonly cause?: unknown }).cause, ...more }
        : { cause: publicCause, expose: true, ...more };
    const data = steps && this.#converter.errorData(older, raised.data);
    return new RpcFailure(info, about, data) as Value;
  }
}

function recordOf<Item extends { readonly name: string }, Value>(
  items: readonly Item[],
  of: (item: Item) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(items.map((item) => [item.name, of(item)]));
}

type Handle = (ctx: unknown, request: unknown) => unknown;

/* The `ctx` that a handler of the current version receives for a call of a kept version. */

/** What is the same in all calls of a method. */
interface ContextParts {
  /** The method that the handler implements. */
  readonly info: MethodInfo;
  /** The errors that the handler may raise. */
  readonly errors: ErrorMakers<string>;
  /** Version of the caller. */
  readonly version: string;
}

/** Shows a handler its own method and errors instead of those of the caller. */
class VersionContext extends DelegatedContext {
  readonly #parts: ContextParts;
  readonly #ctx: HandlerContext<unknown>;

  constructor(ctx: HandlerContext<unknown>, parts: ContextParts) {
    super(ctx);
    this.#parts = parts;
    this.#ctx = ctx;
  }

  override get method(): MethodInfo {
    return this.#parts.info;
  }

  override get errors(): ErrorMakers<string> {
    return this.#parts.errors;
  }

  /** A tag names one representation, and each version of the API has its own. */
  get notModified(): ReadContext<unknown>["notModified"] {
    return (version) => (this.#ctx as Partial<ReadContext<unknown>>).notModified?.(this.#tagged(version));
  }

  get requireMatch(): WriteContext<unknown>["requireMatch"] {
    return (version) => {
      const tagged = version === undefined ? undefined : this.#tagged(version);
      (this.#ctx as Partial<WriteContext<unknown>>).requireMatch?.(tagged);
    };
  }

  #tagged(version: string): string {
    return `${version} ${this.#parts.version}`;
  }
}

/* The options of a server for calls of a kept version. Hooks see the current version only. */

/** What the options of a kept version need. */
interface HookParts {
  readonly version: string;
  /** The errors of the current version. */
  readonly errors: ErrorMakers<string>;
  /** Returns the method of the current version; the earlier one if it was removed. */
  infoOf(info: MethodInfo): MethodInfo;
  /** Returns the error of the current version. */
  errorOf(error: ErrorInfo): ErrorInfo;
  /** Converts a request to the current version. Throws the refusal. */
  request(info: MethodInfo, request: unknown): unknown;
  /** Returns an error of the current version as the earlier one knows it, and other values unchanged. */
  failure<Value>(thrown: Value): Value;
}

type Options<Carrier> = ServerOptions<unknown, string, Carrier>;

/** Recordings contain calls of the current version only. */
function olderOptions<Carrier>(current: Options<Carrier>, parts: HookParts): Options<Carrier> {
  const options = { ...current };
  delete options.recorder;
  // The handlers run within it.
  delete options.around;
  delete options.annotations;
  const context = contextHook(current);
  const { guards, checkRequest, mapError, onResponse, deadline } = options;
  const currentCall = (call: Call<string, Carrier>): Call<string, Carrier> => new CurrentCall(call, parts);
  const { failure } = parts;
  return {
    ...options,
    ...(guards && {
      guards: guards.map((guard) => failing(failure, async (call) => guard(currentCall(call)))),
    }),
    ...(context && { context: failing(failure, async (call) => context(currentCall(call))) }),
    ...(checkRequest && {
      checkRequest: (call, request, context) => {
        try {
          const converted = parts.request(call.method, request);
          return failure(checkRequest(currentCall(call), converted, context));
        } catch (thrown) {
          throw failure(thrown);
        }
      },
    }),
    ...(mapError && { mapError: (thrown) => failure(mapError(thrown)) }),
    ...(deadline && { deadline: { ms: deadline.ms, error: () => failure(deadline.error(parts.errors)) } }),
    ...(onResponse && {
      onResponse: ({ method, error, ...log }) =>
        onResponse({ ...log, method: method && parts.infoOf(method), error: error && parts.errorOf(error) }),
    }),
    ...(options.idempotency && { idempotency: olderIdempotency(options.idempotency, parts.version) }),
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

  get header(): Call["header"] {
    return this.#call.header;
  }
}

/** A response that was kept for a caller of one version never reaches a caller of another version. */
function olderIdempotency(options: IdempotencyOptions, version: string): IdempotencyOptions {
  const prefix = `${version} `;
  return {
    ...options,
    store: {
      run: async (use, context, handle) => {
        const outcome = await options.store.run(use, context, async (own) => {
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
