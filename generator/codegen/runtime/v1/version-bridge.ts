/** Serves an earlier version of an API with the handlers of the current one. */
import { errorMakers, type FailureAbout, RpcFailure } from "./failure.ts";
import type { HandlerContext, MethodInfo } from "./handler.ts";
import type { ServerOptions } from "./hooks.ts";
import { describeIssues } from "./issue.ts";
import type { KeptVersion } from "./kept-version.ts";
import type { StartReply } from "./outgoing-call.ts";
// @if reads
import { NotModified } from "./read-handler.ts";
// @end
import { builtinCode } from "./reply.ts";
import type { RoutedApi, RoutedMethod } from "./route.ts";
import type { ServiceValidators } from "./validators.ts";
import { VersionContext } from "./version-context.ts";
import { builtinFailure, outdated, VersionConverter } from "./version-conversion.ts";
import { optionsThen } from "./version-options.ts";
import type { CurrentVersion, NextVersion, Way } from "./version-ways.ts";

/** The arguments of the function that creates the server of a kept version. */
export interface BridgedServer<Carrier> {
  readonly api: RoutedApi;
  readonly handlers: object;
  readonly options: ServerOptions<unknown, string, Carrier>;
  /** Returns the method of the current version; the same one if it was removed. */
  readonly infoOf: (info: MethodInfo) => MethodInfo;
}

/** `own`: what `keptAsNext` returned for this version. */
export function bridgedServer<Carrier>(
  kept: KeptVersion,
  own: NextVersion,
  current: CurrentVersion<Carrier>,
): BridgedServer<Carrier> {
  return new Bridge(kept, own, current).server();
}

class Bridge<Carrier> {
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

  server(): BridgedServer<Carrier> {
    const { api, options } = this.#current;
    const services = this.#kept.api.services.filter((service) => this.#isServed(service.methods));
    const infoOf = (info: MethodInfo): MethodInfo => this.#way(info.path)?.target.info ?? info;
    return {
      api: {
        ...this.#kept.api,
        builtinErrors: api.builtinErrors,
        schemaErrors: [...new Set([...this.#own.errors.values(), ...this.#kept.api.schemaErrors])],
        services: services.map(({ name, methods }) => ({
          name,
          methods: methods.map((method) => this.#definition(method)),
        })),
      },
      handlers: recordOf(services, ({ name: service, methods }) =>
        recordOf(methods, ({ name, path }) => this.#handler(service, name, path)),
      ),
      options: optionsThen(options, {
        version: this.#kept.version,
        errors: errorMakers<string>(api.schemaErrors),
        infoOf,
        request: (info, request) => {
          const way = this.#way(info.path);
          const converted = way === undefined ? request : this.#converter.request(way, request);
          this.#checked.set(request as object, converted);
          return converted;
        },
        failure: (thrown) => this.#failure(thrown, undefined),
      }),
      infoOf,
    };
  }

  #way(path: string): Way | undefined {
    const way = this.#own.ways.get(path);
    return typeof way === "string" ? undefined : way;
  }

  /** A service without handlers is not served in any version. */
  #isServed(methods: readonly RoutedMethod[]): boolean {
    const targets = methods.flatMap(({ path }) => this.#way(path)?.target ?? []);
    return targets.every(({ info }) => memberOf(this.#current.handlers, info.service) !== undefined);
  }

  /** Calls have the form of the kept version. What handlers and caches may do depends on the current one. */
  #definition(method: RoutedMethod): RoutedMethod {
    const way = this.#way(method.path);
    if (way === undefined) return method;
    const now = way.target.definition;
    const own: { -readonly [Key in keyof RoutedMethod]: RoutedMethod[Key] } = { ...method };
    delete own.errors;
    if (now.errors !== undefined) own.errors = now.errors.map((name) => this.#errorName(name));
    delete own.headers;
    if (now.headers !== undefined) own.headers = now.headers;
    if (own.reply !== undefined) own.reply = this.#reply(own.reply, way);
    // @if reads
    delete own.unmatched;
    if (now.unmatched !== undefined) own.unmatched = this.#errorName(now.unmatched);
    if (own.read !== undefined) own.read = now.read ?? { cacheControl: "no-store" };
    // @end
    return own;
  }

  #errorName(name: string): string {
    const now = this.#current.api.schemaErrors.find((error) => error.name === name);
    return (now && this.#own.errors.get(now))?.name ?? name;
  }

  /** Converts the items of a stream one by one. */
  #reply(reply: StartReply, way: Way): StartReply {
    return (returned, call) =>
      reply(returned, {
        ...call,
        encode: (item) => {
          try {
            return call.encode(this.#converter.response(way, item));
          } catch (thrown) {
            return call.fail(thrown);
          }
        },
        fail: (thrown) => call.fail(this.#failure(thrown, way)),
      });
  }

  #handler(
    service: string,
    name: string,
    path: string,
  ): (ctx: HandlerContext<unknown>, request: unknown) => unknown {
    const way = this.#own.ways.get(path);
    if (way === undefined || typeof way === "string") {
      const reason = `${service}.${name} does not exist in ${way ?? this.#current.version}`;
      return () => outdated(this.#current.api, `${reason}: regenerate the client`);
    }
    const { info, errors, definition } = way.target;
    const handlers = memberOf(this.#current.handlers, info.service) as object;
    const handle = (memberOf(handlers, info.name) as Handle).bind(handlers);
    const parts = { info, errors, version: this.#kept.version };
    const isPlain = definition.reply === undefined;
    const returned = (value: unknown): unknown => {
      if (value instanceof Error) return this.#failure(value, way);
      // @if reads
      if (value instanceof NotModified) return value;
      // @end
      if (!isPlain) return value;
      const convert = (): unknown => this.#converter.response(way, value);
      if (this.#current.options.checkResponses === true) return this.#requireValid(info, value).then(convert);
      try {
        return convert();
      } catch (refusal) {
        return this.#requireValid(info, value).then(() => {
          throw refusal;
        });
      }
    };
    const rethrow = (thrown: unknown): never => {
      throw this.#failure(thrown, way);
    };
    return (ctx, request) => {
      const converted = this.#checked.get(request as object) ?? this.#converter.request(way, request);
      let result: unknown;
      try {
        result = handle(new VersionContext(ctx, parts), converted);
      } catch (thrown) {
        return rethrow(thrown);
      }
      return isThenable(result) ? result.then(returned, rethrow) : returned(result);
    };
  }

  /** A response that breaks the rules of its own version is a fault of the server, not of an old client. */
  async #requireValid({ service, path }: MethodInfo, response: unknown): Promise<void> {
    const { api } = this.#current;
    const validators = memberOf(api.validators, service) as ServiceValidators | undefined;
    const loaded = await validators?.responses();
    const issues = loaded?.responses[path]?.check(response);
    if (issues !== undefined)
      throw builtinFailure(api, builtinCode.badResponse, { cause: describeIssues(issues) });
  }

  /** Returns an error of the current version as this version knows it. Other values are unchanged. */
  #failure<Value>(thrown: Value, way: Way | undefined): Value {
    const raised = RpcFailure.read(thrown);
    if (raised === undefined || way?.target.raised.has(raised.info) === false) return thrown;
    const info = this.#own.errors.get(raised.info) ?? raised.info;
    if (info === raised.info) return thrown;
    const { publicCause, headers } = raised;
    const more = headers === undefined ? {} : { headers };
    const about: FailureAbout =
      publicCause === undefined
        ? { cause: (thrown as { readonly cause?: unknown }).cause, ...more }
        : { cause: publicCause, expose: true, ...more };
    return new RpcFailure(info, about) as Value;
  }
}

function recordOf<Item extends { readonly name: string }, Value>(
  items: readonly Item[],
  of: (item: Item) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(items.map((item) => [item.name, of(item)]));
}

type Handle = (ctx: unknown, request: unknown) => unknown;

/** Handlers may be methods of a class. Names such as `constructor` are inherited by every object. */
function memberOf(record: object, name: string): unknown {
  const isInherited = name in Object.prototype && !Object.keys(record).includes(name);
  return isInherited ? undefined : (record as Readonly<Record<string, unknown>>)[name];
}

function isThenable(value: unknown): value is Promise<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}
