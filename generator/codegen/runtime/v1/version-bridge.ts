/** Serves an earlier version of an API with the handlers of the current one. */
import type { ConversionPath, CurrentVersion, NextVersion } from "./conversion-path.ts";
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
import { olderOptions } from "./version-options.ts";

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
    const infoOf = (info: MethodInfo): MethodInfo => this.#conversionOf(info.path)?.target.info ?? info;
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
      options: olderOptions(options, {
        version: this.#kept.version,
        errors: errorMakers<string>(api.schemaErrors),
        infoOf,
        request: (info, request) => {
          const conversion = this.#conversionOf(info.path);
          const converted = conversion === undefined ? request : this.#converter.request(conversion, request);
          this.#checked.set(request as object, converted);
          return converted;
        },
        failure: (thrown) => this.#failure(thrown, undefined),
      }),
      infoOf,
    };
  }

  /** Undefined for unknown and removed methods. */
  #conversionOf(path: string): ConversionPath | undefined {
    const found = this.#own.methods.get(path);
    return found?.kind === "converted" ? found : undefined;
  }

  /** A service without handlers is not served in any version. */
  #isServed(methods: readonly RoutedMethod[]): boolean {
    const targets = methods.flatMap(({ path }) => this.#conversionOf(path)?.target ?? []);
    return targets.every(({ info }) => memberOf(this.#current.handlers, info.service) !== undefined);
  }

  /** Calls have the form of the kept version. What handlers and caches may do depends on the current one. */
  #definition(method: RoutedMethod): RoutedMethod {
    const conversion = this.#conversionOf(method.path);
    if (conversion === undefined) return method;
    const current = conversion.target.definition;
    const own: { -readonly [Key in keyof RoutedMethod]: RoutedMethod[Key] } = { ...method };
    delete own.errors;
    if (current.errors !== undefined) own.errors = current.errors.map((name) => this.#errorName(name));
    delete own.headers;
    if (current.headers !== undefined) own.headers = current.headers;
    if (own.reply !== undefined) own.reply = this.#reply(own.reply, conversion);
    // @if reads
    delete own.unmatched;
    if (current.unmatched !== undefined) own.unmatched = this.#errorName(current.unmatched);
    if (own.read !== undefined) own.read = current.read ?? { cacheControl: "no-store" };
    // @end
    return own;
  }

  #errorName(name: string): string {
    const current = this.#current.api.schemaErrors.find((error) => error.name === name);
    return (current && this.#own.errors.get(current))?.name ?? name;
  }

  /** Converts the items of a stream one by one. */
  #reply(reply: StartReply, conversion: ConversionPath): StartReply {
    return (returned, call) =>
      reply(returned, {
        ...call,
        encode: (item) => {
          try {
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
    const handlers = memberOf(this.#current.handlers, info.service) as object;
    const handle = (memberOf(handlers, info.name) as Handle).bind(handlers);
    const parts = { info, errors, version: this.#kept.version };
    const isPlain = definition.reply === undefined;
    const returned = (value: unknown): unknown => {
      if (value instanceof Error) return this.#failure(value, conversion);
      // @if reads
      if (value instanceof NotModified) return value;
      // @end
      if (!isPlain) return value;
      const convert = (): unknown => this.#converter.response(conversion, value);
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
  #failure<Value>(thrown: Value, conversion: ConversionPath | undefined): Value {
    const raised = RpcFailure.read(thrown);
    if (raised === undefined || conversion?.target.raised.has(raised.info) === false) return thrown;
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
