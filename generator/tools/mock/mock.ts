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
import { type CoreType, coreTypes } from "../../language/model/core-types.ts";
import { isSameType, type ResolvedType } from "../../language/model/types.ts";
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
  /** `ctx.context` of these handlers. */
  readonly context?: unknown;
  /** Receives the cause of each call that fails with a status of 500 or more. */
  readonly onError?: (cause: unknown, method: string) => void;
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
  readonly error: { readonly name: string; readonly status: number } | undefined;
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
    versions: new Proxy({}, { get: () => noCustomConversions }),
    around: options.context === undefined ? [] : [aroundHandlers(options.handlers, options.context)],
    onResponse: ({ method, path, status, error, cause, durationMs }: CompletedCall) => {
      const name = method === undefined ? path : `${method.service}.${method.name}`;
      // A stream that fails has already sent the status 200.
      if (error !== undefined && error.status >= 500 && cause !== undefined) options.onError?.(cause, name);
      const isOwn = Object.hasOwn(options.handlers?.[method?.service ?? ""] ?? {}, method?.name ?? "");
      const advice = error?.name === "WebrpcBadResponse" && !isOwn ? exampleAdvice : "";
      options.onCall({
        method: name,
        status,
        error: error?.name,
        ms: Math.round(durationMs * 10) / 10,
        cause: error?.status === 500 && cause !== undefined ? `${cause}${advice}` : undefined,
      });
    },
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

const exampleAdvice =
  ". The mock found no value that follows all rules. Write one below the field or its type: + example = …";

type HandlersByName = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Throws if a name is not in the schema: the mock would silently ignore it. */
function withHandlers(handlers: HandlersByName, own: Readonly<Record<string, object>> = {}): object {
  for (const [service, methods] of Object.entries(own)) {
    const unknown = Object.keys(methods).find((name) => !Object.hasOwn(handlers[service] ?? {}, name));
    if (!Object.hasOwn(handlers, service) || unknown !== undefined)
      throw new TypeError(`the schema has no method ${service}${unknown === undefined ? "" : `.${unknown}`}`);
    for (const [name, handler] of Object.entries(methods))
      if (typeof handler !== "function") throw new TypeError(`${service}.${name}: expected a function`);
  }
  const merged = Object.entries(handlers).map(([name, methods]) => [name, { ...methods, ...own[name] }]);
  return Object.fromEntries(merged);
}

/** The option `around` that replaces the context of these handlers. */
function aroundHandlers(handlers: Readonly<Record<string, object>> = {}, context: unknown): object {
  const around = (_ctx: unknown, _req: unknown, next: (context: unknown) => unknown): unknown =>
    next(context);
  const services = Object.entries(handlers).map(([service, methods]) => [
    service,
    Object.fromEntries(Object.keys(methods).map((name) => [name, around])),
  ]);
  return Object.fromEntries(services);
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
  const { typeName } = method.response;
  if (method.fileOutput)
    return () => new Blob([`A file of ${name}.${method.name}\n`], { type: "text/plain" });
  if (!method.streamOutput)
    return (ctx, request) => echo(types, method, request, sample(typeName, seedFor(ctx, request)));
  return async function* (ctx, request) {
    const seed = seedFor(ctx, request);
    for (let index = 0; index < ctx.context.items; index++) {
      await sleep(ctx.context.itemDelayMs, undefined, { signal: ctx.signal });
      yield echo(types, method, request, numbered(types, typeName, sample(typeName, seed + index), index));
    }
  };
}

/**
 * Copies values of the request into the response: `GetRoom(id: 3)` returns room 3, `CreateRoom(room: { name: "Blue" })` returns a room
 * with that name, and `ListSeats(roomId: 3)` returns seats of room 3. Only copies values that the response type allows. The items of a
 * list have different keys.
 */
export function echo(types: TypeFinder, method: PlannedMethod, request: Fields, response: Fields): Fields {
  const given = requestValues(types, method.request.typeName, request);
  const keys = given.filter(isForeignKey);
  const echoed: Record<string, unknown> = { ...response };
  const { fields } = types.struct(method.response.typeName);
  copyMatching(types, echoed, fields, given);
  const main = mainField(types, method, fields);
  for (const field of fields) {
    const value = ownField(echoed, field);
    const isList = types.unaliased(field.type).kind === "list";
    const isFilter = ({ field: { wireName } }: RequestValue): boolean => wireName.toLowerCase() !== "id";
    const own = isList ? given.filter(isFilter) : field === main ? given : keys;
    if (value !== undefined) setField(echoed, field, withRequestValues(types, field.type, value, own, keys));
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

/** Whether a value is the key of another record, such as `roomId`, which means the same in every struct. */
function isForeignKey({ field: { wireName } }: RequestValue): boolean {
  return /.(Id|ID|_id)$/.test(wireName);
}

/** `given`: values for the structs of the value or of its items; `keys`: values for all structs in these. */
function withRequestValues(
  types: TypeFinder,
  type: ResolvedType,
  value: unknown,
  given: readonly RequestValue[],
  keys: readonly RequestValue[],
): unknown {
  const resolved = types.unaliased(type);
  if (resolved.kind === "list" && Array.isArray(value)) {
    const element = types.unaliased(resolved.element);
    const itemKeys = element.kind === "struct" ? keysOf(types, element.name) : [];
    const isShared = ({ field }: RequestValue): boolean =>
      element.kind !== "struct" || !isKeyOf(field, element.name);
    const [shared, sharedKeys] = [given.filter(isShared), keys.filter(isShared)];
    return value.map((item, index) => {
      const echoed = withRequestValues(types, element, item, shared, sharedKeys);
      return isFields(echoed) ? withKeys(types, echoed, itemKeys, index) : echoed;
    });
  }
  if (resolved.kind !== "struct" || !isFields(value)) return value;
  const changed: Record<string, unknown> = { ...value };
  const { fields } = types.struct(resolved.name);
  copyMatching(types, changed, fields, given);
  // A `roomId` in the request is the `id` of the room.
  const key = fields.find(({ wireName }) => wireName.toLowerCase() === "id");
  const record = given.find(({ field }) => isKeyOf(field, resolved.name));
  const id = key && record && fitting(types, key, record, ownField(changed, key));
  if (id !== undefined) setFields(types, changed, fields, (field) => (field === key ? id : undefined));
  for (const field of fields) {
    const inner = ownField(changed, field);
    if (isFields(inner) || Array.isArray(inner))
      setField(changed, field, withRequestValues(types, field.type, inner, keys, keys));
  }
  return changed;
}

/** Whether a field has the key of a struct in its name: `roomId` and `room_id` that of `Room`. */
function isKeyOf({ wireName }: PlannedField, struct: string): boolean {
  return wireName.replaceAll("_", "").toLowerCase() === `${struct.toLowerCase()}id`;
}

/** The fields of a struct that tell its values apart: `id`, and `orderId` of an `Order`. */
function keysOf(types: TypeFinder, struct: string): readonly PlannedField[] {
  const { fields } = types.struct(struct);
  return fields.filter((field) => field.wireName.toLowerCase() === "id" || isKeyOf(field, struct));
}

/** Counts the keys of an item up by its place, because the examples of a schema have one key. */
function withKeys(types: TypeFinder, item: Fields, keys: readonly PlannedField[], place: number): Fields {
  const changed: Record<string, unknown> = { ...item };
  for (const key of keys) {
    const own = types.unaliased(key.type);
    const counted = own.kind === "core" ? countedUp(own.name, ownField(item, key), place) : undefined;
    if (counted !== undefined && satisfies(counted, key.constraints)) setField(changed, key, counted);
  }
  return changed;
}

/** An item of a stream, with keys of its own. */
function numbered(types: TypeFinder, typeName: string, item: Fields, place: number): Fields {
  const changed: Record<string, unknown> = {
    ...withKeys(types, item, keysOf(types, typeName), place),
  };
  for (const field of types.struct(typeName).fields) {
    const resolved = types.unaliased(field.type);
    const inner = ownField(changed, field);
    if (resolved.kind === "struct" && isFields(inner))
      setField(changed, field, numbered(types, resolved.name, inner, place));
  }
  return changed;
}

/** Texts count their last digits and keep their length: `…0c11-42` is followed by `…0c11-43`, and `a9` by `a0`. */
function countedUp(name: CoreType, value: unknown, by: number): unknown {
  if (typeof value === "number") return inRange(name, value + by);
  if (typeof value === "bigint") return value + BigInt(by);
  if (typeof value !== "string") return undefined;
  return value.replace(/\d{1,15}(?=\D*$)/, (digits) =>
    `${(Number(digits) + by) % 10 ** digits.length}`.padStart(digits.length, "0"),
  );
}

function copyMatching(
  types: TypeFinder,
  record: Record<string, unknown>,
  fields: readonly PlannedField[],
  given: readonly RequestValue[],
): void {
  setFields(types, record, fields, (field) => {
    const match = given.find(({ field: { wireName } }) => wireName === field.wireName);
    return match && fitting(types, field, match, ownField(record, field));
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

/** The value of a request as a field of the response has it. Undefined if the field does not permit it. */
function fitting(
  types: TypeFinder,
  { type, constraints }: PlannedField,
  { field, value }: RequestValue,
  sample: unknown,
): unknown {
  const own = types.unaliased(type);
  if (isSameType(own, types.unaliased(field.type)))
    return constraintKey(constraints) === constraintKey(field.constraints) || satisfies(value, constraints)
      ? value
      : undefined;
  const form = own.kind === "core" ? inForm(own.name, value, sample) : undefined;
  return form !== undefined && satisfies(form, constraints) ? form : undefined;
}

/** The same number in another core type, in the form of the sample: a chain may be "137" in a request and 137 in the response. */
function inForm(name: CoreType, value: unknown, sample: unknown): unknown {
  const text = `${value}`;
  if (!/^(?:0|[1-9]\d{0,15})$/.test(text)) return undefined;
  if (typeof sample === "bigint") return BigInt(text);
  if (typeof sample === "number") return inRange(name, Number(text));
  return typeof sample === "string" && coreTypes[name].kind === "text" ? text : undefined;
}

function inRange(name: CoreType, value: number): number | undefined {
  const core = coreTypes[name];
  return core.kind === "integer" && value <= core.range.high ? value : undefined;
}

/** Reads own properties only: a field may be named `constructor`, which every object inherits. */
function ownField(values: Fields, { wireName }: PlannedField): unknown {
  return Object.hasOwn(values, wireName) ? values[wireName] : undefined;
}

function isFields(value: unknown): value is Fields {
  const prototype: unknown = typeof value === "object" && value !== null && Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
