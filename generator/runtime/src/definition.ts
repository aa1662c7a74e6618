import type { ErrorInfo } from "./errors.ts";
import {
  type ErrorMakers,
  errorMakers,
  type HandlerContext,
  type MethodInfo,
  type ResponseHeaders,
  throwingReturned,
  withMembers,
} from "./handler.ts";
import { hasOwn, type JsonCodec } from "./json.ts";
import type { FileField, UploadReceiver } from "./options.ts";
import type { StartReply } from "./reply.ts";
import type { Check, ResponseValidator, Validators } from "./validation.ts";

/* An API as the generator prints it, and the method table that the server builds from it at start. */

/** An API as data. Generated. */
export interface ApiDefinition {
  /** Starts and ends with "/". */
  readonly basepath: string;
  /** Value of the header `Webrpc`. */
  readonly webrpc: string;
  readonly protocolErrors: readonly ErrorInfo[];
  readonly schemaErrors: readonly ErrorInfo[];
  /** Names of the errors that no method lists. Handlers of all methods may throw them. */
  readonly unlisted?: readonly string[];
  readonly services: readonly ServiceDefinition[];
  readonly validators: Validators;
  /** Replaces JSON.parse and JSON.stringify where 64-bit integers are bigints. */
  readonly json?: JsonCodec;
  /** Receives uploaded files. Set if any method takes files. */
  readonly uploads?: UploadReceiver;
}

/** A service as data. Generated. */
export interface ServiceDefinition {
  readonly name: string;
  readonly methods: readonly MethodDefinition[];
}

/** A method as data. Generated. */
export interface MethodDefinition {
  readonly name: string;
  readonly path: string;
  /** Undefined: none. */
  readonly annotations?: Readonly<Record<string, string | true>>;
  /** Names of the errors that the handler may raise. Undefined: all errors of the schema. */
  readonly errors?: readonly string[];
  /** The request has no fields, so callers may omit it. */
  readonly emptyRequest?: true;
  /** The response has no fields: `{}` is sent whatever the handler returns. */
  readonly emptyResponse?: true;
  /** Sends the response if it is a stream or a file. Settings of the response apply to each item of a stream. */
  readonly reply?: StartReply;
  /** Files that the request contains. The request is then a form. */
  readonly files?: readonly FileField[];
  /** Headers of all responses, errors included. */
  readonly headers?: ResponseHeaders;
  /** A method with a route is called on it only, others on their default path. */
  readonly route?: RouteDefinition;
  /** Set if the method is called by GET or QUERY. Without a route, it is called on its default path, by POST, too. */
  readonly read?: ReadDefinition;
  /** Name of the error that `ctx.requireMatch` throws. */
  readonly unmatched?: string;
  /** Calls may have an idempotency key. */
  readonly takesKey?: true;
}

/** How caches may use the responses to GET, HEAD and QUERY. */
export interface ReadDefinition {
  /** Value of the header `Cache-Control`. */
  readonly cacheControl: string;
  /** Value of the header `Vary`. */
  readonly vary?: string;
}

/** The verb and path of a method, and where its request fields are. */
export interface RouteDefinition {
  readonly verb: RouteVerb;
  /** Includes the basepath: `/rpc/pets/{id}`. */
  readonly path: string;
  /** The fields in the path, in its order. */
  readonly parameters: readonly RouteField[];
  /** The fields in the query. Undefined if the request has a body. */
  readonly query?: readonly RouteField[];
}

/** In the order in which the header `Allow` lists them. */
export const routeVerbs = ["GET", "POST", "PUT", "PATCH", "DELETE", "QUERY"] as const;

export type RouteVerb = (typeof routeVerbs)[number];

/** A request field in a path or a query. */
export interface RouteField {
  /** Its name in JSON. */
  readonly name: string;
  /** Its name in the query, if that differs. */
  readonly queryName?: string;
  readonly type: RouteType;
  /** The query repeats the name for each item. */
  readonly isList?: true;
  readonly isOptional?: true;
  /** The value is secret or personal data, which messages do not quote. */
  readonly isSecret?: true;
  /** The message of issues, from `+ message`. */
  readonly message?: string;
}

/** The types that are read from text. Enums and timestamps are strings, which validators read. */
export type RouteType = "string" | "bool" | "float32" | "float64" | `${"" | "u"}int${"" | 8 | 16 | 32 | 64}`;

/** A method with everything that its calls need, so that a call needs a single look-up. */
export interface Method {
  readonly info: MethodInfo;
  readonly definition: MethodDefinition;
  readonly handle: (ctx: unknown, req: unknown) => unknown;
  /** The validators are undefined in definitions without them. Nothing is then checked. */
  readonly readRequest: Check | undefined;
  readonly checkResponse: Check | undefined;
  readonly writeResponse: ResponseValidator["write"] | undefined;
  readonly errors: ErrorMakers<string>;
  /** Errors that the handler may raise. */
  readonly allowed: ReadonlySet<ErrorInfo>;
}

/**
 * Builds the method table, by path. Handlers are found by the names of service and method in the schema. Services
 * without handlers are not served. Throws if a handler of a served service is missing.
 */
export function buildMethods(api: ApiDefinition, handlers: object): ReadonlyMap<string, Method> {
  const methods = new Map<string, Method>();
  const missing: string[] = [];
  for (const service of api.services) {
    const own = lookUp(handlers, service.name);
    if (typeof own !== "object" || own === null) continue;
    for (const definition of service.methods) {
      const handle = lookUp(own, definition.name);
      if (typeof handle !== "function") {
        missing.push(`${service.name}.${definition.name}`);
        continue;
      }
      methods.set(definition.path, buildMethod(api, service.name, definition, handle.bind(own)));
    }
  }
  if (missing.length > 0) throw new MissingHandlers(missing);
  return methods;
}

/** Thrown when a server is created without a handler for each method of a service. */
class MissingHandlers extends TypeError {
  override readonly name = "MissingHandlers";

  constructor(methods: readonly string[]) {
    super(
      `no handler for ${methods.join(", ")}: run "npx ridlkit scaffold" to add missing handlers and follow renames`,
    );
  }
}

function buildMethod(
  api: ApiDefinition,
  service: string,
  definition: MethodDefinition,
  handle: Method["handle"],
): Method {
  const { requests, responses } = api.validators;
  const { info, errors, raised } = describeMethod(api, service, definition);
  const response = responses[definition.path];
  return {
    info,
    definition,
    handle,
    readRequest: requests[definition.path],
    checkResponse: response?.check,
    writeResponse: response?.write,
    errors,
    allowed: new Set([...raised, ...api.protocolErrors]),
  };
}

/** Returns how handlers see a method, and the errors that they may raise. */
export function describeMethod(
  { schemaErrors, unlisted }: ApiDefinition,
  service: string,
  { name, path, annotations, errors }: MethodDefinition,
): Pick<Method, "info" | "errors"> & { readonly raised: readonly ErrorInfo[] } {
  const listed = schemaErrors.filter((error) => errors?.includes(error.name) ?? true);
  const raised = schemaErrors.filter((error) => listed.includes(error) || unlisted?.includes(error.name));
  const info = Object.freeze({ service, name, path, annotations: Object.freeze({ ...annotations }) });
  return { info, errors: errorMakers(listed), raised };
}

/**
 * Reads a property, ignoring those inherited from Object.prototype: a schema may use names such as `constructor`.
 * Handlers may be methods of a class.
 */
export function lookUp(record: object, name: string): unknown {
  if (!hasOwn(record, name) && name in Object.prototype) return undefined;
  return (record as Readonly<Record<string, unknown>>)[name];
}

/* Runs functions around handlers. */

type Handle = (ctx: HandlerContext<unknown>, req: unknown) => unknown;
type AnyAround = (
  ctx: HandlerContext<unknown>,
  req: unknown,
  next: (context?: unknown) => Promise<unknown>,
) => unknown;

/** Returns handlers that run within their functions of `around`, the first outermost. */
export function withAround(
  api: ApiDefinition,
  handlers: object,
  entries: readonly object[] | undefined,
): object {
  if (entries === undefined) return handlers;
  const services = api.services.map(({ name: service, methods }) => {
    const own = lookUp(handlers, service);
    if (typeof own !== "object" || own === null) return [service, own];
    const wrapped = methods.map((definition) => {
      const handle = lookUp(own, definition.name);
      // The server reports missing handlers.
      if (typeof handle !== "function") return [definition.name, handle];
      const { info } = describeMethod(api, service, definition);
      const around = entries.flatMap((entry) => functionsFor(entry, info));
      return [
        definition.name,
        around.reduceRight((inner, each) => within(each, inner, info), handle.bind(own)),
      ];
    });
    return [service, Object.fromEntries(wrapped)];
  });
  return Object.fromEntries(services);
}

function functionsFor(entry: object, { service, name, annotations }: MethodInfo): readonly AnyAround[] {
  if (typeof entry === "function") return [entry as AnyAround];
  return Object.entries(entry).flatMap(([key, value]: [string, AnyAround | object | undefined]) => {
    const isAnnotated = key.startsWith("@") && hasOwn(annotations, key.slice(1));
    if (value === undefined || !(key === service || isAnnotated)) return [];
    const found = typeof value === "function" ? value : lookUp(value, name);
    return found === undefined ? [] : [found as AnyAround];
  });
}

function within(around: AnyAround, inner: Handle, { service, name }: MethodInfo): Handle {
  return (ctx, req) => {
    let isCalled = false;
    async function run(context: unknown): Promise<unknown> {
      if (isCalled) throw new Error(`"around" of ${service}.${name} called next() twice`);
      isCalled = true;
      const result = await inner(context === undefined ? ctx : withMembers(ctx, { context }), req);
      if (result instanceof Error) throw result;
      return throwingReturned(result);
    }
    return around(ctx, req, (context) => {
      const result = run(context);
      // Until the function awaits the result, a rejection of it would end the process.
      result.catch(() => {});
      return result;
    });
  };
}

/** Throws if methods take keys and the server has no store for them: clients repeat such calls. */
export function requireStore(
  methods: Iterable<Method>,
  { idempotency }: { readonly idempotency?: unknown },
): void {
  const names = [...methods]
    .filter(({ definition }) => definition.takesKey)
    .map(({ info: { service, name } }) => `${service}.${name}`);
  if (idempotency === undefined && names.length > 0)
    throw new TypeError(
      `no store for the idempotency keys of ${names.join(", ")}: pass the option "idempotency" to createServer`,
    );
}
