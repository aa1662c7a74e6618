import { unlistedErrors } from "../../codegen/plan/errors.ts";
import type { Json } from "../../codegen/plan/json.ts";
import {
  isOmitted,
  type PlannedFile,
  type PlannedMethod,
  type PlannedService,
} from "../../codegen/plan/plan.ts";
import { coreTypeText } from "../../codegen/plan/type-text.ts";
import { credentialNames } from "../../language/model/annotations.ts";
import { isBytes, type ResolvedType } from "../../language/model/types.ts";
import { dateOf } from "../../runtime/src/time.ts";
import type { LoadedContract, LoadedServer } from "../in-memory/load.ts";
import { seededRandom } from "../samples/random.ts";
import { Samples } from "../samples/values.ts";

interface StubOptions {
  readonly seed: number;
  /** Number of responses per method, before equal ones are dropped. */
  readonly count: number;
}

/** The contents of every file. */
export const fileContents = "bytes";

/** The header with the names of the credentials that a call has. */
export const credentialsHeader = "x-replay-credentials";

/** The generated server of a version. Its handlers record their requests and return generated responses. */
export class StubServer {
  readonly loaded: LoadedContract;
  readonly fetch: (request: Request) => Promise<Response>;
  /** Names of the fields of all structs. */
  readonly fieldNames: ReadonlySet<string>;
  #received: ReceivedCall | undefined;
  /** Which of the generated responses, or data of the error, the next call returns. */
  nextResponse = 0;
  /** Name of the error that the next call raises. */
  errorToRaise: string | undefined;
  readonly #options: StubOptions;
  readonly #responses = new Map<PlannedMethod, readonly unknown[]>();
  readonly #errorData = new Map<string, readonly unknown[]>();

  constructor(loaded: LoadedContract, options: StubOptions) {
    this.loaded = loaded;
    this.#options = options;
    const { types, services } = loaded.plan;
    this.fieldNames = new Set(
      types.flatMap((type) => (type.kind === "struct" ? type.fields.map(({ wireName }) => wireName) : [])),
    );
    const handlers = Object.fromEntries(
      services.map(({ name, methods }) => [
        name,
        Object.fromEntries(
          methods
            .filter((one) => !isOmitted(one))
            .map((method) => [method.name, this.#handler(`${name}.${method.name}`, method)]),
        ),
      ]),
    );
    this.fetch = loaded.fetchHandler(
      loaded.createServer(handlers, { guards: [requireCredentials, this.#raiseUnlisted()] }) as LoadedServer,
    );
  }

  /** Returns the last call, with the full name of its method, and forgets it. */
  takeReceived(): ReceivedCall | undefined {
    const received = this.#received;
    this.#received = undefined;
    return received;
  }

  method(service: string, name: string): PlannedMethod | undefined {
    return this.loaded.plan.services
      .find((one) => one.name === service)
      ?.methods.find((one) => one.name === name);
  }

  /** The number of different responses of a method. */
  responseCount(service: string, name: string): number {
    const method = this.method(service, name);
    return method === undefined ? 0 : this.#responsesOf(method).length;
  }

  /** The different data of an error. Empty for errors without data. */
  errorData(name: string): readonly unknown[] {
    const { data } = this.loaded.plan.errors.find((error) => error.name === name) ?? {};
    const known = this.#errorData.get(name) ?? (data ? this.#createResponses(data.typeName) : []);
    this.#errorData.set(name, known);
    return known;
  }

  /** Converts a request to the value that a handler of this version receives, without unknown fields. */
  read(service: PlannedService, { name }: PlannedMethod, request: unknown): unknown {
    const method = this.method(service.name, name);
    if (method === undefined) return request;
    return toHandlerValue(this.loaded, method.request.typeName, (request ?? {}) as Json, []);
  }

  /** Raises errors that no method lists. Handlers must not raise them, so a guard does. */
  #raiseUnlisted() {
    const unlisted = new Set(unlistedErrors(this.loaded.plan).map(({ name }) => name));
    return ({ errors }: GuardCall): void => {
      if (this.errorToRaise !== undefined && unlisted.has(this.errorToRaise)) this.#raise(errors);
    };
  }

  /** Raises the wanted error, with generated data. */
  #raise(errors: HandlerContext["errors"]): void {
    const name = this.errorToRaise;
    const error = name === undefined ? undefined : errors[name];
    if (name === undefined || error === undefined) return;
    const data = this.errorData(name);
    throw data.length === 0 ? error() : error(data[this.nextResponse % data.length] as object);
  }

  #handler(name: string, method: PlannedMethod) {
    const record = (ctx: HandlerContext, request: unknown): void => {
      this.#received = { method: name, request };
      this.#raise(ctx.errors);
    };
    const respond = (offset: number): unknown => {
      const responses = this.#responsesOf(method);
      return responses[(this.nextResponse + offset) % responses.length];
    };
    if (method.streamOutput)
      return async function* (ctx: HandlerContext, request: unknown) {
        record(ctx, request);
        yield respond(0);
        yield respond(1);
      };
    return (ctx: HandlerContext, request: unknown) => {
      record(ctx, request);
      return respond(0);
    };
  }

  #responsesOf(method: PlannedMethod): readonly unknown[] {
    const { response, fileOutput } = method;
    const known =
      this.#responses.get(method) ??
      (fileOutput ? [new Blob([fileContents])] : this.#createResponses(response.typeName));
    this.#responses.set(method, known);
    return known;
  }

  #createResponses(typeName: string): readonly unknown[] {
    const { seed, count } = this.#options;
    const bodies = Array.from({ length: count }, (_, index) => {
      const random = seededRandom(seed + index);
      const optional = (["all", "none", "some"] as const)[Math.min(index, 2)] ?? "some";
      return new Samples(this.loaded.plan, { side: "response", random, style: "edges", optional }).body(
        typeName,
      );
    });
    return distinct(bodies).map((body) => toHandlerValue(this.loaded, typeName, body, []));
  }
}

/** Small methods have few different requests and responses. The outcome of a repeated call is known. */
export function distinct<Value extends Json>(values: readonly Value[]): readonly Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

interface ReceivedCall {
  readonly method: string;
  readonly request: unknown;
}

interface HandlerContext {
  readonly errors: Readonly<Record<string, (data?: object) => Error>>;
}

interface GuardCall extends HandlerContext {
  readonly method: { readonly annotations: Readonly<Record<string, string | true>> };
  header(name: string): string | undefined;
}

/** Rejects calls without the credentials that `@auth` names. */
function requireCredentials(call: GuardCall): void {
  const sent = (call.header(credentialsHeader) ?? "").split(",");
  const { auth } = call.method.annotations;
  const names = typeof auth === "string" ? credentialNames(auth) : [];
  const missing = names.filter((name) => !sent.includes(name));
  if (missing.length > 0) throw new Error(`the credentials ${missing.join(", ")} are missing`);
}

/**
 * Converts a JSON body to the value that handlers and clients use. Converts bigints, dates, numbers of enum values, and other forms that a
 * field `accepts`, renames aliases to field names, leaves out fields where null means absent, and adds files.
 */
export function toHandlerValue(
  { plan }: Pick<LoadedContract, "plan">,
  typeName: string,
  body: Json,
  files: readonly PlannedFile[],
): Record<string, unknown> {
  const types = plan.finder;
  const value = convert({ kind: "struct", name: typeName }, body) as Record<string, unknown>;
  for (const { name, isList, within } of files) {
    const holder = within === undefined ? value : value[within.name];
    if (typeof holder !== "object" || holder === null) continue;
    Object.assign(holder, { [name]: isList ? [new Blob(["bytes"])] : new Blob(["bytes"]) });
  }
  return value;

  function convert(type: ResolvedType, json: Json | undefined): unknown {
    const resolved = types.unaliased(type);
    if (json === null || json === undefined) return json;
    switch (resolved.kind) {
      case "core":
        return typed(coreTypeText(resolved.name, plan), json);
      case "list":
        return Array.isArray(json) && !isBytes(resolved)
          ? json.map((item: Json) => convert(resolved.element, item))
          : json;
      case "map":
        return Object.fromEntries(
          Object.entries(json).map(([key, item]) => [key, convert(resolved.value, item as Json)]),
        );
      case "enum":
        return typeof json === "number" ? (enumName(resolved.name, json) ?? json) : json;
      case "struct":
        return struct(resolved.name, json as Readonly<Record<string, Json>>);
      default:
        return json;
    }
  }

  function enumName(name: string, value: number): string | undefined {
    return types.enum(name).values.find(({ number }) => number === String(value))?.wire;
  }

  function struct(name: string, json: Readonly<Record<string, Json>>): Record<string, unknown> {
    const converted: Record<string, unknown> = {};
    for (const { wireName, aliases, type, nullable } of types.struct(name).fields) {
      const sentName = [wireName, ...aliases].find((name) => Object.hasOwn(json, name));
      const item = sentName === undefined ? undefined : json[sentName];
      if (item === undefined || (item === null && !nullable)) continue;
      Object.defineProperty(converted, wireName, {
        value: convert(type, item),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
    return converted;
  }
}

/** Converts a scalar from any form that a field may accept to its type in TypeScript. */
function typed(typeText: string, json: Json): unknown {
  if (typeText === "bigint") return BigInt(json as string);
  if (typeText === "Date") return dateOf(json as string);
  if (typeText === "number" && typeof json === "string") return Number(json);
  if (typeText === "boolean" && typeof json === "string") return json === "true";
  if (typeText === "string" && (typeof json === "number" || typeof json === "boolean")) return String(json);
  return json;
}
