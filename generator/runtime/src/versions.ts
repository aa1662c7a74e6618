import type { Transport } from "./call.ts";
import { checkNames } from "./check-options.ts";
import {
  type ApiDefinition,
  describeMethod,
  lookUp,
  type MethodDefinition,
  type ServiceDefinition,
  withAround,
} from "./definition.ts";
import { describeIssues, type ErrorInfo } from "./errors.ts";
import { isPromiseLike } from "./exchange.ts";
import {
  type ErrorMakers,
  errorMakers,
  type FailureAbout,
  type HandlerContext,
  type MethodInfo,
  type RaisedFailure,
  RpcFailure,
} from "./handler.ts";
import { schemaIn } from "./headers.ts";
import type { IdempotencyOptions } from "./idempotency.ts";
import { hasOwn } from "./json.ts";
import { type Call, contextHook, type Limits, type ServerOptions } from "./options.ts";
import { DelegatedContext, NotModified, type ReadContext, type WriteContext } from "./reads.ts";
import { failureReply, protocolErrorCode, type Reply, type StartReply } from "./reply.ts";
import { type AnyExchange, createRpcServer, type RpcServer } from "./server.ts";
import {
  type Faults,
  issuesOf,
  type RequestFaults,
  type RequestValidators,
  type ResponseValidators,
  type ResponseWriters,
} from "./validation.ts";

/* Kept versions of an API, as the generator prints them. */

/**
 * A version of an API that the server speaks in addition to the current one, as far as it differs from the next version:
 * how its calls are read, how its responses are written, and how both are converted.
 */
export interface KeptVersion {
  /** As its clients send it: `v1.0.0`. */
  readonly version: string;
  readonly webrpc: string;
  readonly basepath?: string;
  /** The methods that the next version lacks or describes otherwise. */
  readonly services?: readonly ServiceDefinition[];
  /** Paths of the methods that this version lacks. */
  readonly missing?: readonly string[];
  readonly errors?: readonly ErrorInfo[];
  /** Names of the errors that this version lacks. */
  readonly missingErrors?: readonly string[];
  readonly validators?: {
    readonly requests?: RequestFaults;
    readonly responses?: ResponseWriters;
    readonly errorData?: ResponseWriters;
  };
  readonly uploads?: ApiDefinition["uploads"];
  /**
   * Leads to the next version, by path. Methods without a step are called in the same way. Undefined: the next version has
   * the path, but cannot serve the method.
   */
  readonly steps?: Readonly<Record<string, VersionStep | undefined>>;
  /** From the data of an error in the next version to that in this one, by the name of the error in this one. */
  readonly errorData?: Readonly<Record<string, Conversion>>;
}

/** Returns a kept version as a whole. */
function apiOf(kept: KeptVersion, next: ApiDefinition): ApiDefinition {
  const { services = [], missing = [], errors = [], missingErrors = [], validators = {} } = kept;
  const changed = new Set([
    ...missing,
    ...services.flatMap(({ methods }) => methods.map(({ path }) => path)),
  ]);
  const names = new Set([...next.services, ...services].map(({ name }) => name));
  const methodsOf = (of: readonly ServiceDefinition[], service: string): readonly MethodDefinition[] =>
    of.flatMap(({ name, methods }) => (name === service ? methods : []));
  const replaced = new Set([...missingErrors, ...errors.map(({ name }) => name)]);
  return {
    ...next,
    webrpc: kept.webrpc,
    basepath: kept.basepath ?? next.basepath,
    schemaErrors: [...next.schemaErrors.filter(({ name }) => !replaced.has(name)), ...errors],
    services: [...names]
      .map((name) => {
        const unchanged = methodsOf(next.services, name).filter(({ path }) => !changed.has(path));
        return { name, methods: [...unchanged, ...methodsOf(services, name)] };
      })
      .filter(({ methods }) => methods.length > 0),
    validators: {
      requests: { ...next.validators.requests, ...checksOf(validators.requests) },
      responses: { ...next.validators.responses, ...unchecked(validators.responses) },
      errorData: { ...next.validators.errorData, ...unchecked(validators.errorData) },
    },
    ...(kept.uploads && { uploads: kept.uploads }),
  };
}

function checksOf(requests: RequestFaults = {}): RequestValidators {
  return mapValues(requests, (faultsIn) => (value) => issuesOf(faultsIn(value, 1)));
}

/** Responses of kept versions are checked before and after their conversion. */
function unchecked(writers: ResponseWriters = {}): ResponseValidators {
  return mapValues(writers, (write) => ({ check: () => undefined, write }));
}

function mapValues<Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Readonly<Record<string, Mapped>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

/** How a method of one version is called as a method of the next version. */
interface VersionStep {
  /** Path of the method in the next version, if it has another there. */
  readonly path?: string;
  /** Undefined if requests are the same in both versions. */
  readonly request?: Conversion;
  /** From the next version to this one. Undefined if responses are the same. */
  readonly response?: Conversion;
}

/** Converts values between two versions. */
export interface Conversion {
  /** Undefined if only rules differ. */
  convert?(value: unknown, custom: unknown): unknown;
  /** Finds faults in a converted value, at a depth, if not every value of one version is valid in the other. */
  check?(value: unknown, depth: number): Faults | undefined;
}

/** The errors of the current version in an earlier one. */
type OlderErrors = ReadonlyMap<ErrorInfo, OlderError>;

interface OlderError {
  readonly info: ErrorInfo;
  /** Convert the data, like a response. Undefined if a version has none. */
  readonly steps: readonly ConversionStep[] | undefined;
}

/** Converts a list, item by item. */
export function convertList(list: unknown, convert: (item: unknown) => unknown): unknown {
  return (list as readonly unknown[]).map(convert);
}

/** Converts a map, value by value. */
export function convertMap(map: unknown, convert: (value: unknown) => unknown): unknown {
  const entries = Object.entries(map as object);
  return Object.fromEntries(entries.map(([key, value]) => [key, convert(value)]));
}

/** Copies the fields of a value, without those of some names. Handlers may return an instance of a class, with getters. */
export function copyFields(value: unknown, dropped: readonly string[] = []): Record<string, unknown> {
  const copy = { ...(value as Record<string, unknown>) };
  for (let at = prototypeOf(value); at !== null && at !== Object.prototype; at = prototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at))
      if (!(name in copy) && !dropped.includes(name)) readInto(copy, value as Record<string, unknown>, name);
  for (const name of dropped) Reflect.deleteProperty(copy, name);
  return copy;
}

/** A getter that throws fails the call only if its field is in the contract, and is read again. */
function readInto(copy: Record<string, unknown>, value: Record<string, unknown>, name: string): void {
  try {
    copy[name] = value[name];
  } catch (err) {
    Object.defineProperty(copy, name, {
      get: () => {
        throw err;
      },
    });
  }
}

function prototypeOf(value: unknown): object | null {
  return Object.getPrototypeOf(value) as object | null;
}

/** Sets a field unless there is no value. */
export function setPresent(to: Record<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined)
    Object.defineProperty(to, name, { value, writable: true, enumerable: true, configurable: true });
}

/* How the calls of each method are converted from a kept version to the current one. */

/** What all versions of an API share. */
interface CurrentVersion<Carrier> {
  readonly api: ApiDefinition;
  readonly version: string;
  readonly handlers: object;
  readonly options: ServerOptions<unknown, string, Carrier>;
}

/** A method of the current version. */
interface TargetMethod {
  readonly info: MethodInfo;
  readonly definition: MethodDefinition;
  readonly errors: ErrorMakers<string>;
  readonly raised: ReadonlySet<ErrorInfo>;
}

/** How calls of a method of a kept version reach a method of the current version. */
interface ConversionPath {
  readonly kind: "converted";
  readonly target: TargetMethod;
  /** In the order in which requests pass them. Responses pass them in reverse. */
  readonly steps: readonly ConversionStep[];
}

/** A method that a later version removed. */
interface RemovedMethod {
  readonly kind: "removed";
  /** The version that lacks the method. */
  readonly in: string;
}

/** Converts between a version and the next one. */
interface ConversionStep {
  readonly request: Conversion | undefined;
  readonly response: Conversion | undefined;
  /** The custom conversions between the two versions. */
  readonly custom: unknown;
  readonly versions: readonly [older: string, newer: string];
}

/** The next version as an earlier one sees it: the current one, or a kept one. */
interface NextVersion {
  readonly version: string;
  readonly api: ApiDefinition;
  /** By the path of the method. */
  readonly methods: ReadonlyMap<string, ConversionPath | RemovedMethod>;
  readonly errors: OlderErrors;
}

/** Returns the current version as the version before it sees it. */
function currentAsNext({ api, version }: CurrentVersion<never>): NextVersion {
  const current = api.services.flatMap(({ name: service, methods }) =>
    methods.map((definition): [string, ConversionPath] => {
      const { info, errors, raised } = describeMethod(api, service, definition);
      const target = { info, definition, errors, raised: new Set(raised) };
      return [definition.path, { kind: "converted", target, steps: [] }];
    }),
  );
  return {
    version,
    api,
    methods: new Map(current),
    errors: new Map(api.schemaErrors.map((info) => [info, { info, steps: [] }])),
  };
}

/** Returns a kept version as the version before it sees it. */
function keptAsNext(kept: KeptVersion, next: NextVersion, custom: unknown): NextVersion {
  const { version, steps = {}, errorData = {} } = kept;
  const versions: ConversionStep["versions"] = [version, next.version];
  const api = apiOf(kept, next.api);
  const paths = api.services.flatMap(({ methods }) => methods.map(({ path }) => path));
  const methods = paths.map((path): [string, ConversionPath | RemovedMethod] => {
    const step = hasOwn(steps, path) ? steps[path] : {};
    const after = step && next.methods.get(step.path ?? path);
    if (step === undefined || after === undefined) return [path, { kind: "removed", in: next.version }];
    if (after.kind === "removed") return [path, after];
    const { request, response } = step;
    const first: ConversionStep = { request, response, custom, versions };
    return [path, { ...after, steps: [first, ...after.steps] }];
  });
  const errors = [...next.errors].map(([current, newer]): [ErrorInfo, OlderError] => {
    const info = errorIn(api.schemaErrors, newer.info);
    // An error that both versions share has the same data.
    const response = info === newer.info ? {} : errorData[info.name];
    const first: ConversionStep = { request: undefined, response, custom, versions };
    return [current, { info, steps: response && newer.steps && [first, ...newer.steps] }];
  });
  return { version, api, methods: new Map(methods), errors: new Map(errors) };
}

/** Errors keep their names, or at least their codes. Clients can read errors that they do not know. */
function errorIn(known: readonly ErrorInfo[], error: ErrorInfo): ErrorInfo {
  return (
    known.find(({ name }) => name === error.name) ?? known.find(({ code }) => code === error.code) ?? error
  );
}

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

/* Converts requests and responses between a kept version and the current one. */

/** Code of the error for clients whose version the server cannot serve. */
const outdatedCode = -100;

/** Converts between one kept version and the current one. */
class VersionConverter {
  readonly #api: Pick<ApiDefinition, "protocolErrors">;
  readonly #kept: string;
  readonly #current: string;

  constructor(api: Pick<ApiDefinition, "protocolErrors">, kept: string, current: string) {
    this.#api = api;
    this.#kept = kept;
    this.#current = current;
  }

  request({ steps, target }: ConversionPath, request: unknown): unknown {
    return steps.reduce((value, step) => this.#convert(step, "request", value, target.info), request);
  }

  response({ steps, target }: ConversionPath, response: unknown): unknown {
    return this.#down(steps, response, target.info);
  }

  /** Returns undefined for data that the earlier version cannot have: its callers learn of the error alone. */
  errorData({ steps = [], info }: OlderError, data: unknown): unknown {
    try {
      return this.#down(steps, data, info);
    } catch (thrown) {
      if (RpcFailure.read(thrown)?.info.code === outdatedCode) return undefined;
      throw thrown;
    }
  }

  #down(steps: readonly ConversionStep[], value: unknown, of: Converted): unknown {
    // Anything else is not a response, which the server reports.
    if (typeof value !== "object" || value === null) return value;
    return steps.reduceRight<unknown>((newer, step) => this.#convert(step, "response", newer, of), value);
  }

  #convert(step: ConversionStep, side: "request" | "response", value: unknown, of: Converted): unknown {
    const conversion = step[side];
    if (conversion === undefined) return value;
    const [older, newer] = step.versions;
    let converted = value;
    try {
      if (conversion.convert !== undefined) converted = conversion.convert(value, step.custom);
    } catch (thrown) {
      if (RpcFailure.read(thrown) !== undefined) throw thrown;
      const name = "service" in of ? `${of.service}.${of.name}` : of.name;
      const [from, to, field] = side === "request" ? [older, newer, "up"] : [newer, older, "down"];
      const text = `versions["${older}"].${field}: converting the ${side} of ${name} from ${from} to ${to} threw ${String(thrown)}`;
      // Older TypeScript libraries do not declare `cause`.
      const cause = Object.assign(new Error(text), { cause: thrown });
      throw protocolFailure(this.#api, protocolErrorCode.internalError, { cause });
    }
    const issues = issuesOf(conversion.check?.(converted, 1));
    if (issues === undefined) return converted;
    const [source, other] = side === "request" ? [this.#kept, newer] : [this.#current, older];
    throw outdated(this.#api, `the ${side} of ${source} is not valid in ${other}: ${describeIssues(issues)}`);
  }
}

/** The method or the error whose value is converted. */
type Converted = Pick<MethodInfo, "service" | "name"> | ErrorInfo;

/** Creates the error for a client whose version the server cannot serve. */
export function outdated(api: Pick<ApiDefinition, "protocolErrors">, cause: string): RpcFailure {
  return protocolFailure(api, outdatedCode, { cause, expose: true });
}

/** Creates a protocol error by its code. */
function protocolFailure(
  { protocolErrors }: Pick<ApiDefinition, "protocolErrors">,
  wanted: number,
  about: FailureAbout,
): RpcFailure {
  const info = protocolErrors.find(({ code }) => code === wanted);
  if (info === undefined) throw new Error(`the API has no error with the code ${wanted}`);
  return new RpcFailure(info, about);
}

/* The options of a server for calls of a kept version. Hooks see the current version only. */

/** What the options of a kept version need. */
interface HookParts {
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
      onResponse: (log) => onResponse({ ...log, method: log.method && parts.infoOf(log.method) }),
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

/* Serves a kept version of an API with the handlers of the current one. */

/** The arguments of the function that creates the server of a kept version. */
interface BridgedServer<Carrier> {
  readonly api: ApiDefinition;
  readonly handlers: object;
  readonly options: ServerOptions<unknown, string, Carrier>;
  /** Returns the method of the current version; the same one if it was removed. */
  readonly infoOf: (info: MethodInfo) => MethodInfo;
}

/** `own`: what `keptAsNext` returned for this version. */
function bridgedServer<Carrier>(
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
    const services = this.#own.api.services.filter((service) => this.#isServed(service.methods));
    const infoOf = (info: MethodInfo): MethodInfo => this.#conversionOf(info.path)?.target.info ?? info;
    return {
      api: {
        ...this.#own.api,
        schemaErrors: [
          ...new Set([
            ...[...this.#own.errors.values()].map(({ info }) => info),
            ...this.#own.api.schemaErrors,
          ]),
        ],
        unlisted: api.unlisted?.map((name) => this.#errorName(name)) ?? [],
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

/* A server that speaks several versions of an API. The header `Webrpc` names the version of the caller. */

/** The options of a server with custom conversions. */
export type VersionedArguments<Arguments extends readonly [options?: object], Conversions> = [
  options: NonNullable<Arguments[0]> & {
    /** Conversions that the generator cannot derive, by version. */
    readonly versions: Conversions;
  },
];

/** Binds handlers to the current version of an API and to the kept ones, the oldest first. */
export function createVersionedServer<Carrier>(
  api: ApiDefinition,
  handlers: object,
  [given]: readonly [options?: object],
  kept: readonly KeptVersion[],
): RpcServer<Carrier> {
  const options: ServerOptions<unknown, string, Carrier> = given ?? {};
  const { versions: custom = {} }: { readonly versions?: Readonly<Record<string, unknown>> } = given ?? {};
  checkNames(
    "versions",
    custom,
    kept.map(({ version }) => version),
  );
  const server = createRpcServer(api, handlers, [options]);
  const current: CurrentVersion<Carrier> = {
    api,
    version: schemaIn(api.webrpc).version,
    handlers: withAround(api, handlers, options.around),
    options,
  };
  const servers = new Map<string, KeptServer<Carrier>>();
  let next: NextVersion = currentAsNext(current);
  for (const one of [...kept].reverse()) {
    next = keptAsNext(one, next, custom[one.version]);
    const bridged = bridgedServer(one, next, current);
    const served = createRpcServer(bridged.api, bridged.handlers, [bridged.options]);
    servers.set(plainVersion(one.version), { ...bridged, version: one.version, server: served });
  }
  return new VersionedServer(api, server, servers);
}

/** The server of a kept version. */
interface KeptServer<Carrier> {
  readonly version: string;
  readonly server: RpcServer<Carrier>;
  /** Returns the method of the current version. */
  readonly infoOf: (info: MethodInfo) => MethodInfo;
}

class VersionedServer<Carrier> implements RpcServer<Carrier> {
  readonly basepath: string;
  readonly webrpc: string;
  readonly limits: Limits;
  readonly #api: ApiDefinition;
  readonly #schema: ReturnType<typeof schemaIn>;
  readonly #current: RpcServer<Carrier>;
  /** By version without "v", the newest first. */
  readonly #kept: ReadonlyMap<string, KeptServer<Carrier>>;

  constructor(
    api: ApiDefinition,
    current: RpcServer<Carrier>,
    kept: ReadonlyMap<string, KeptServer<Carrier>>,
  ) {
    this.basepath = api.basepath;
    this.webrpc = api.webrpc;
    this.limits = current.limits;
    this.#api = api;
    this.#schema = schemaIn(api.webrpc);
    this.#current = current;
    this.#kept = kept;
  }

  /** Paths that only kept versions have lead to the methods that replaced theirs. */
  methodAt(path: string): MethodInfo | undefined {
    const info = this.#current.methodAt(path);
    if (info !== undefined) return info;
    for (const { server, infoOf } of this.#kept.values()) {
      const older = server.methodAt(path);
      if (older !== undefined) return infoOf(older);
    }
    return undefined;
  }

  open(path: string, transport: Transport<Carrier>): AnyExchange | undefined {
    const header = transport.header("webrpc");
    const server = this.#serverOf(header);
    if (server !== undefined) return server.open(path, transport);
    const exchange = this.#current.open(path, transport);
    return exchange && new RefusedExchange(exchange, this.#refusal(header));
  }

  openAny(path: string, transport: Transport<Carrier>): AnyExchange {
    const header = transport.header("webrpc");
    const server = this.#serverOf(header);
    if (server !== undefined) return server.openAny(path, transport);
    return new RefusedExchange(this.#current.openAny(path, transport), this.#refusal(header));
  }

  async drain(): Promise<void> {
    const kept = [...this.#kept.values()].map(({ server }) => server);
    await Promise.all([this.#current, ...kept].map((server) => server.drain()));
  }

  refuseUnparsable(reason?: string, status?: number): Reply {
    return this.#current.refuseUnparsable(reason, status);
  }

  /** Returns the server for the version of a caller. Undefined if the version is too old. */
  #serverOf(header: string | undefined): RpcServer<Carrier> | undefined {
    if (header === undefined) return this.#current;
    const { name, version } = schemaIn(header);
    const own = this.#schema;
    if (version === own.version || name !== own.name) return this.#current;
    const kept = this.#kept.get(plainVersion(version));
    if (kept !== undefined) return kept.server;
    return isOlder(version, own.version) ? undefined : this.#current;
  }

  #refusal(header = ""): Reply {
    const { name, version } = schemaIn(header);
    const kept = [...this.#kept.values()].map((one) => one.version).reverse();
    const cause = `the client was generated from ${name} ${version.slice(0, 40)}, but this server speaks only ${kept.join(", ")} and ${this.#schema.version}: regenerate the client`;
    const failure = RpcFailure.read(outdated(this.#api, cause)) as RaisedFailure;
    return failureReply(failure, cause);
  }
}

/** A call that is refused before its body is read. */
class RefusedExchange implements AnyExchange {
  readonly takesFiles = false;
  readonly #call: AnyExchange;
  readonly #refusal: Reply;

  constructor(call: AnyExchange, refusal: Reply) {
    this.#call = call;
    this.#refusal = refusal;
  }

  admit(): Reply {
    return this.#refusal;
  }

  watchBody(): undefined {
    return undefined;
  }

  answer(_body: unknown, send: (reply: Reply) => void): void {
    send(this.#refusal);
  }

  async receive(_body: unknown, send: (reply: Reply) => void): Promise<void> {
    send(this.#refusal);
  }

  finish(reply: Reply, isWritable: boolean): Reply | undefined {
    return this.#call.finish(reply, isWritable);
  }
}

/** Without "v" and build metadata. */
function plainVersion(version: string): string {
  return version.replace(/^v|[+].*$/g, "");
}

/** Compares semantic versions. Other versions are never older. */
function isOlder(version: string, than: string): boolean {
  const [one, other] = [partsOfVersion(version), partsOfVersion(than)];
  if (one === undefined || other === undefined) return false;
  for (const [index, part] of one.numbers.entries()) {
    const difference = part - (other.numbers[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  // v1.0.0-beta is older than v1.0.0.
  return one.isPreview && !other.isPreview;
}

function partsOfVersion(
  version: string,
): { readonly numbers: readonly number[]; readonly isPreview: boolean } | undefined {
  const [, major, minor, patch, preview] = /^v?(\d+)\.(\d+)\.(\d+)(-[^+]*)?(?:\+.*)?$/.exec(version) ?? [];
  if (major === undefined) return undefined;
  return { numbers: [major, minor, patch].map(Number), isPreview: preview !== undefined };
}
