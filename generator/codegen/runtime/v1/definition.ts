/** An API as the generator prints it, and the method table that the server builds from it at start. */

import { type ErrorInfo, type ErrorMakers, errorMakers } from "./failure.ts";
import type { MethodInfo } from "./handler.ts";
import type { ResponseHeaders } from "./headers.ts";
import type { JsonCodec } from "./json-codec.ts";
import { type LoadValidators, MethodValidators, validatorLoader } from "./method-validators.ts";
import type { StartReply } from "./outgoing-call.ts";
import { hasOwn } from "./own-property.ts";
import type { FileField, UploadReceiver } from "./upload.ts";
import type { ServiceValidators, Validators } from "./validators.ts";

/** An API as data. Generated. */
export interface ApiDefinition {
  /** Starts and ends with "/". */
  readonly basepath: string;
  /** Value of the header `Webrpc`. */
  readonly webrpc: string;
  readonly builtinErrors: readonly ErrorInfo[];
  readonly schemaErrors: readonly ErrorInfo[];
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
  readonly annotations: Readonly<Record<string, string | true>>;
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
  /** The response contains a bigint, which is written as decimal text. */
  readonly bigintResponse?: true;
  /** Headers of all responses, errors included. */
  readonly headers?: ResponseHeaders;
  // @if keys
  /** Calls may have an idempotency key. */
  readonly takesKey?: true;
  // @end
}

/** A method with everything that its calls need, so that a call needs a single look-up. */
export interface Method {
  readonly info: MethodInfo;
  readonly definition: MethodDefinition;
  readonly handle: (ctx: unknown, req: unknown) => unknown;
  readonly validators: MethodValidators;
  readonly errors: ErrorMakers<string>;
  /** Errors that the handler may raise. */
  readonly allowed: ReadonlySet<ErrorInfo>;
}

/**
 * Builds the method table, by path. Handlers are found by the names of service and method in the schema. Services
 * without handlers are not served. Throws if a handler of a served service is missing.
 */
export function buildMethods(
  api: ApiDefinition,
  handlers: object,
  checksResponses: boolean,
): ReadonlyMap<string, Method> {
  const methods = new Map<string, Method>();
  const missing: string[] = [];
  for (const service of api.services) {
    const own = lookUp(handlers, service.name);
    if (typeof own !== "object" || own === null) continue;
    const validators = lookUp(api.validators, service.name) as ServiceValidators | undefined;
    const load = validators === undefined ? undefined : validatorLoader(validators, checksResponses);
    for (const definition of service.methods) {
      const handle = lookUp(own, definition.name);
      if (typeof handle !== "function") {
        missing.push(`${service.name}.${definition.name}`);
        continue;
      }
      const method = buildMethod(api, service.name, definition, handle.bind(own), load);
      methods.set(definition.path, method);
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
  load: LoadValidators | undefined,
): Method {
  const { name, path, annotations, errors } = definition;
  const raised = api.schemaErrors.filter((error) => errors?.includes(error.name) ?? true);
  return {
    info: Object.freeze({ service, name, path, annotations: Object.freeze({ ...annotations }) }),
    definition,
    handle,
    validators: new MethodValidators(path, load),
    errors: errorMakers(raised),
    allowed: new Set([...raised, ...api.builtinErrors]),
  };
}

/**
 * Reads a property, ignoring those inherited from Object.prototype: a schema may use names such as `constructor`.
 * Handlers may be methods of a class.
 */
function lookUp(record: object, name: string): unknown {
  if (!hasOwn(record, name) && name in Object.prototype) return undefined;
  return (record as Readonly<Record<string, unknown>>)[name];
}
