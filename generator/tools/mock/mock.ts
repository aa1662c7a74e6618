import { setTimeout as sleep } from "node:timers/promises";
import {
  isOmitted,
  type Plan,
  type PlannedField,
  type PlannedMethod,
  type PlannedService,
  type TypeFinder,
} from "../../codegen/plan/plan.ts";
import { fieldsOf, unionsOf } from "../../codegen/plan/unions.ts";
import { constraintKey } from "../../codegen/plan/values.ts";
import { isSameType } from "../../language/model/types.ts";
import type { LoadedContract } from "../../verify/in-memory/load.ts";
import { resourcesOf } from "../../verify/resources/resources.ts";
import type { TextSource } from "../../verify/samples/example-texts.ts";
import { seededRandom } from "../../verify/samples/random.ts";
import { satisfies } from "../../verify/samples/satisfies.ts";
import type { ServedVersion } from "../dev/dev-server.ts";
import { type GuardSettings, type HookCall, mockGuard, readControls } from "./mock-controls.ts";
import {
  errorMaker,
  type Fields,
  type Handler,
  type MockContext,
  RecordHandlers,
  RecordStore,
  requestSeed,
  type Sample,
  sampler,
  setCase,
  setField,
} from "./records.ts";

export interface MockOptions extends GuardSettings {
  /** Initial number of records of each kind. */
  readonly records: number;
  readonly onCall: (call: MockedCall) => void;
  /** Handlers by service and method, which replace those of the mock. */
  readonly handlers?: Readonly<Record<string, object>>;
  /** Source of strings such as names and places. Default: the built-in ones. */
  readonly texts?: TextSource;
}

/** A completed call. */
export interface MockedCall {
  /** `Shop.GetOrder`, or the path if there is no such method. */
  readonly method: string;
  readonly status: number;
  /** Name of the returned error. */
  readonly error: string | undefined;
  readonly ms: number;
  /** Why a response violates the schema. Either rules of the schema contradict each other, or ridlkit has a bug. */
  readonly cause: string | undefined;
}

/** A subset of `CallLog` in generator/runtime/src/options.ts. */
interface CompletedCall {
  readonly method: { readonly service: string; readonly name: string } | undefined;
  readonly path: string;
  readonly status: number;
  readonly error: { readonly name: string } | undefined;
  readonly cause: unknown;
  readonly durationMs: number;
}

export interface Mock extends ServedVersion {
  readonly plan: Plan;
  /** Serves a call in memory. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Creates the generated server of a contract with mock handlers. The generated validators check each response. */
export function createMock(loaded: LoadedContract, options: MockOptions): Mock {
  const handlers = withHandlers(mockHandlers(loaded, options), options.handlers);
  const server = loaded.createServer(handlers, {
    guards: [
      mockGuard(loaded, options, {
        random: seededRandom(options.seed),
        makeError: errorMaker(loaded, sampler(loaded, options.texts)),
      }),
    ],
    context: (call: HookCall) => readControls((name) => call.header(name), options, loaded.plan.errors),
    checkResponses: true,
    versions: noCustomConversions,
    onResponse: ({ method, path, status, error, cause, durationMs }: CompletedCall) =>
      options.onCall({
        method: method === undefined ? path : `${method.service}.${method.name}`,
        status,
        error: error?.name,
        ms: Math.round(durationMs * 10) / 10,
        cause: status === 500 && cause !== undefined ? String(cause) : undefined,
      }),
  });
  const serve = loaded.fetchHandler(server);
  return {
    plan: loaded.plan,
    fetch: (request) => {
      const { origin, pathname, search } = new URL(request.url);
      const path = ownPath(pathname, loaded.plan.basepath);
      return serve(path === pathname ? request : new Request(`${origin}${path}${search}`, request));
    },
    own: { server },
    createServer: loaded.createServer,
    memoryIdempotencyStore: loaded.memoryIdempotencyStore,
    nodeListener: (rpc) => {
      const listener = loaded.nodeListener(rpc);
      return (req, res) => {
        req.url = ownPath(req.url ?? "/", loaded.plan.basepath);
        listener(req, res);
      };
    },
    stackMapper: { stackOf: String },
  };
}

type HandlersByName = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Throws if a name is not in the schema: the mock would silently ignore it. */
function withHandlers(handlers: HandlersByName, own: Readonly<Record<string, object>> = {}): object {
  for (const [service, methods] of Object.entries(own)) {
    const unknown = Object.keys(methods).find((name) => !Object.hasOwn(handlers[service] ?? {}, name));
    if (!Object.hasOwn(handlers, service) || unknown !== undefined)
      throw new TypeError(`the schema has no method ${service}${unknown === undefined ? "" : `.${unknown}`}`);
  }
  const merged = Object.entries(handlers).map(([name, methods]) => [name, { ...methods, ...own[name] }]);
  return Object.fromEntries(merged);
}

/** Stands for all conversions that a person writes. A conversion that returns undefined rejects the call. */
const noCustomConversions: object = new Proxy(() => undefined, { get: () => noCustomConversions });

/** Removes a prefix before the schema's base path, as in `/polygon/rpc/…`. */
function ownPath(url: string, basepath: string): string {
  const [path = ""] = url.split("?", 1);
  const at = path.indexOf(basepath);
  return at === -1 ? url : url.slice(at);
}

export interface HandlerOptions {
  readonly seed: number;
  readonly records: number;
  /** Source of realistic strings. Default: the built-in ones. */
  readonly texts?: TextSource;
}

/**
 * Creates handlers for all methods. Those that create, read, list, update or delete records share a store for each kind of record,
 * filled with new records; others return samples.
 */
export function mockHandlers(
  loaded: LoadedContract,
  { seed, records, texts }: HandlerOptions,
): HandlersByName {
  const sample = sampler(loaded, texts);
  const handlerByMethod = new Map<PlannedMethod, Handler>();
  for (const resource of resourcesOf(loaded.plan)) {
    const store = new RecordStore(loaded, resource, { sample, seed });
    for (let count = 0; count < records; count++) store.create(undefined, {});
    const handlers = new RecordHandlers(loaded, resource, { store, sample }).handlers();
    for (const [method, handler] of handlers) handlerByMethod.set(method, handler);
  }
  return Object.fromEntries(
    loaded.plan.services.map((service) => [
      service.name,
      Object.fromEntries(
        service.methods
          .filter((one) => !isOmitted(one))
          .map((method) => [
            method.name,
            handlerByMethod.get(method) ?? sampleHandler(loaded, sample, service, method),
          ]),
      ),
    ]),
  );
}

function sampleHandler(
  loaded: LoadedContract,
  sample: Sample,
  { name }: PlannedService,
  method: PlannedMethod,
): Handler {
  const types = loaded.plan.finder;
  const seedFor = ({ context }: MockContext, request: Fields): number =>
    requestSeed(context.seed, `${name}.${method.name}`, request);
  const sampleFor = (seed: number, request: Fields): Fields =>
    echo(types, method, request, sample(method.response.typeName, seed));
  if (method.fileOutput)
    return () => new Blob([`A file of ${name}.${method.name}\n`], { type: "text/plain" });
  if (!method.streamOutput) return (ctx, request) => sampleFor(seedFor(ctx, request), request);
  return async function* (ctx, request) {
    const seed = seedFor(ctx, request);
    for (let index = 0; index < ctx.context.items; index++) {
      await sleep(ctx.context.itemDelayMs, undefined, { signal: ctx.signal });
      yield sampleFor(seed + index, request);
    }
  };
}

/**
 * Copies values of the request into the response: `GetRoom(id: 3)` returns room 3, `CreateRoom(room: { name: "Blue" })` returns a room
 * with that name, and `ListSeats(roomId: 3)` returns seats of room 3. Only copies values that the response type allows.
 */
export function echo(types: TypeFinder, method: PlannedMethod, request: Fields, response: Fields): Fields {
  const given = requestValues(types, method.request.typeName, request);
  const echoed: Record<string, unknown> = { ...response };
  const { fields } = types.struct(method.response.typeName);
  copyMatching(types, echoed, fields, given);
  const main = mainField(types, method, fields);
  for (const field of fields) {
    const resolved = types.unaliased(field.type);
    const value = ownField(echoed, field);
    if (resolved.kind === "struct" && isFields(value))
      setField(
        echoed,
        field,
        withRequestValues(types, resolved.name, value, field === main ? given : foreignKeys(given)),
      );
    if (resolved.kind !== "list" || !Array.isArray(value)) continue;
    const element = types.unaliased(resolved.element);
    if (element.kind !== "struct") continue;
    const shared = foreignKeys(given, `${element.name}id`);
    setField(
      echoed,
      field,
      value.map((item) => (isFields(item) ? withRequestValues(types, element.name, item, shared) : item)),
    );
  }
  return echoed;
}

/** A value of the request, with the type of its field. */
interface RequestValue {
  readonly field: PlannedField;
  readonly value: unknown;
}

/** The values of a request, including those of structs in it. */
function requestValues(types: TypeFinder, typeName: string, request: Fields): readonly RequestValue[] {
  const { fields } = types.struct(typeName);
  const valuesOf = (field: PlannedField): readonly RequestValue[] => {
    const value = ownField(request, field);
    if (value === undefined || value === null) return [];
    const resolved = types.unaliased(field.type);
    if (resolved.kind === "core" || resolved.kind === "enum") return [{ field, value }];
    return resolved.kind === "struct" && isFields(value)
      ? types.struct(resolved.name).fields.flatMap((inner) => {
          const innerResolved = types.unaliased(inner.type);
          const innerValue = ownField(value, inner) ?? null;
          return innerValue !== null && (innerResolved.kind === "core" || innerResolved.kind === "enum")
            ? [{ field: inner, value: innerValue }]
            : [];
        })
      : [];
  };
  return fields.flatMap(valuesOf);
}

/** The main struct of a response: the one whose name is in the method's name, or else the first. */
function mainField(
  types: TypeFinder,
  { name }: PlannedMethod,
  fields: readonly PlannedField[],
): PlannedField | undefined {
  const structs = fields.filter(({ type }) => types.unaliased(type).kind === "struct");
  return structs.find(({ wireName }) => name.toLowerCase().includes(wireName.toLowerCase())) ?? structs[0];
}

/** Keys of other records, such as `roomId`, which mean the same in every struct. */
function foreignKeys(given: readonly RequestValue[], excludedName?: string): readonly RequestValue[] {
  return given.filter(
    ({ field: { wireName } }) =>
      /.(Id|ID|_id)$/.test(wireName) && normalizedName(wireName) !== excludedName?.toLowerCase(),
  );
}

function withRequestValues(
  types: TypeFinder,
  typeName: string,
  value: Fields,
  given: readonly RequestValue[],
): Fields {
  const changed: Record<string, unknown> = { ...value };
  const { fields } = types.struct(typeName);
  copyMatching(types, changed, fields, given);
  // A `roomId` in the request is the `id` of the room.
  const key = fields.find(({ wireName }) => wireName.toLowerCase() === "id");
  const record = given.find(({ field }) => normalizedName(field.wireName) === `${typeName.toLowerCase()}id`);
  if (key !== undefined && record !== undefined && fits(types, key, record))
    setFields(types, changed, fields, (field) => (field === key ? record.value : undefined));
  return changed;
}

function copyMatching(
  types: TypeFinder,
  record: Record<string, unknown>,
  fields: readonly PlannedField[],
  given: readonly RequestValue[],
): void {
  setFields(types, record, fields, (field) => {
    const match = given.find(({ field: { wireName } }) => wireName === field.wireName);
    return match !== undefined && fits(types, field, match) ? match.value : undefined;
  });
}

/** Sets the fields that have a value, and the unions that have all fields of a case. */
function setFields(
  types: TypeFinder,
  record: Record<string, unknown>,
  fields: readonly PlannedField[],
  given: (field: PlannedField) => unknown,
): void {
  const unions = unionsOf({ fields }, types);
  const inUnions = new Set(unions.flatMap(fieldsOf));
  for (const field of fields) {
    const value = inUnions.has(field) ? undefined : given(field);
    if (value !== undefined) setField(record, field, value);
  }
  for (const union of unions) setCase(record, union, given);
}

function fits(
  types: TypeFinder,
  { type, constraints }: PlannedField,
  { field, value }: RequestValue,
): boolean {
  if (!isSameType(types.unaliased(type), types.unaliased(field.type))) return false;
  return constraintKey(constraints) === constraintKey(field.constraints) || satisfies(value, constraints);
}

/** Reads own properties only: a field may be named `constructor`, which every object inherits. */
function ownField(values: Fields, { wireName }: PlannedField): unknown {
  return Object.hasOwn(values, wireName) ? values[wireName] : undefined;
}

function normalizedName(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

function isFields(value: unknown): value is Fields {
  const prototype: unknown = typeof value === "object" && value !== null && Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
