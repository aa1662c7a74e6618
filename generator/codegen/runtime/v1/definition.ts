/** An API as plain data, as the generator prints it, and what the core makes of it once at start. */

import { type ErrorInfo, type ErrorMakers, errorMakers } from "./failure.ts";
import type { MethodInfo } from "./handler.ts";
import type { JsonCodec } from "./json-codec.ts";
import { type LoadValidators, MethodValidators, validatorLoader } from "./method-validators.ts";
import { hasOwn } from "./own-property.ts";
import type { FileField, UploadReceiver } from "./upload.ts";
import type { ServiceValidators, Validators } from "./validators.ts";

export interface ApiDefinition {
  /** Starts and ends with "/". */
  readonly basepath: string;
  /** Value of the header `Webrpc`. */
  readonly webrpc: string;
  readonly builtinErrors: readonly ErrorInfo[];
  readonly schemaErrors: readonly ErrorInfo[];
  readonly services: readonly ServiceDefinition[];
  readonly validators: Validators;
  /** Where integers of 64 bits are bigints. Default: JSON as JavaScript has it. */
  readonly json?: JsonCodec;
  /** Where methods take files. */
  readonly uploads?: UploadReceiver;
}

export interface ServiceDefinition {
  readonly name: string;
  readonly methods: readonly MethodDefinition[];
}

export interface MethodDefinition {
  readonly name: string;
  readonly path: string;
  readonly annotations: Readonly<Record<string, string | true>>;
  /** Names of the errors that the handler may raise; undefined: any of the schema. */
  readonly errors?: readonly string[];
  /** The request has no fields: it may be left out. */
  readonly emptyRequest?: true;
  /** The reply has no fields: `{}` is written whatever the handler answers. */
  readonly emptyResponse?: true;
  /** The handler answers items one by one; what is said of the reply is said of each. */
  readonly stream?: true;
  /** Files that come with the request, which is a form then. */
  readonly files?: readonly FileField[];
  /** The handler answers a file. */
  readonly fileResponse?: true;
  /** A bigint is somewhere in the reply; it is written as a decimal string. */
  readonly bigintResponse?: true;
}

/** A method with all that its calls need, so that a call looks up one map once. */
export interface Method {
  readonly info: MethodInfo;
  readonly definition: MethodDefinition;
  readonly isStream: boolean;
  readonly handle: (ctx: unknown, req: unknown) => unknown;
  readonly validators: MethodValidators;
  readonly errors: ErrorMakers<string>;
  /** Errors that the handler may raise. */
  readonly allowed: ReadonlySet<ErrorInfo>;
}

/** Methods by path, from handlers by service and method, both by their names in the schema. A service without handlers is not served; one with a method missing is a mistake that the types name first. */
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

/** Thrown where a server is created without a handler for each method of a service. */
class MissingHandlers extends TypeError {
  override readonly name = "MissingHandlers";

  constructor(methods: readonly string[]) {
    super(
      `no handler for ${methods.join(", ")}: "npx ridlkit scaffold" writes missing handlers and follows renames`,
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
    isStream: definition.stream === true,
    handle,
    validators: new MethodValidators(path, load),
    errors: errorMakers(raised),
    allowed: new Set([...raised, ...api.builtinErrors]),
  };
}

/** Names come from the schema, and `constructor` is a name like any other; handlers may be methods of a class. */
function lookUp(record: object, name: string): unknown {
  if (!hasOwn(record, name) && name in Object.prototype) return undefined;
  return (record as Readonly<Record<string, unknown>>)[name];
}
