import { setTimeout as sleep } from "node:timers/promises";
import type { TypeFinder } from "../../codegen/plan/plan.ts";
import {
  isOmitted,
  type PlannedField,
  type PlannedMethod,
  type PlannedService,
} from "../../codegen/plan/plan.ts";
import { constraintKey } from "../../codegen/plan/values.ts";
import type { Constraints } from "../../language/model/meta/read.ts";
import { isSameType } from "../../language/model/types.ts";
import type { LoadedContract } from "../../verify/in-memory/load.ts";
import { resourcesOf } from "../../verify/resources/resources.ts";
import type { TextSource } from "../../verify/samples/example-texts.ts";
import { seededRandom } from "../../verify/samples/random.ts";
import type { ServedVersion } from "../dev/dev-server.ts";
import { type GuardSettings, type HookCall, mockGuard, readControls } from "./mock-controls.ts";
import {
  errorMaker,
  type Fields,
  type Handler,
  type MockContext,
  RecordHandlers,
  RecordStore,
  removeOthers,
  requestSeed,
  type Sample,
  sampler,
  setField,
} from "./records.ts";

export interface MockOptions extends GuardSettings {
  /** Initial number of records of each kind. */
  readonly records: number;
  readonly onCall: (call: MockedCall) => void;
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

/** Creates the generated server of a contract with mock handlers. The generated validators check each response. */
export function createMock(loaded: LoadedContract, options: MockOptions): ServedVersion {
  const server = loaded.createServer(mockHandlers(loaded, options), {
    guards: [
      mockGuard(loaded, options, {
        random: seededRandom(options.seed),
        makeError: errorMaker(loaded, sampler(loaded, options.texts)),
      }),
    ],
    context: (call: HookCall) => readControls((name) => call.header(name), options, loaded.plan.errors),
    checkResponses: true,
    versions: noCustomConversions,
    onDone: ({ method, path, status, error, cause, durationMs }: CompletedCall) =>
      options.onCall({
        method: method === undefined ? path : `${method.service}.${method.name}`,
        status,
        error: error?.name,
        ms: Math.round(durationMs * 10) / 10,
        cause: status === 500 && cause !== undefined ? String(cause) : undefined,
      }),
  });
  return {
    own: { server },
    createServer: loaded.createServer,
    keysInMemory: loaded.keysInMemory,
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
export function mockHandlers(loaded: LoadedContract, { seed, records, texts }: HandlerOptions): object {
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
  const seedFor = ({ host }: MockContext, request: Fields): number =>
    requestSeed(host.seed, `${name}.${method.name}`, request);
  const sampleFor = (seed: number, request: Fields): Fields =>
    echo(types, method, request, sample(method.response.typeName, seed));
  if (method.fileOutput)
    return () => new Blob([`A file of ${name}.${method.name}\n`], { type: "text/plain" });
  if (!method.streamOutput) return (ctx, request) => sampleFor(seedFor(ctx, request), request);
  return async function* (ctx, request) {
    const seed = seedFor(ctx, request);
    for (let index = 0; index < ctx.host.items; index++) {
      await sleep(ctx.host.itemDelayMs, undefined, { signal: ctx.signal });
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
  if (key !== undefined && record !== undefined && fits(types, key, record)) {
    setField(changed, key, record.value);
    removeOthers(changed, key, fields);
  }
  return changed;
}

function copyMatching(
  types: TypeFinder,
  record: Record<string, unknown>,
  fields: readonly PlannedField[],
  given: readonly RequestValue[],
): void {
  for (const field of fields) {
    const match = given.find(({ field: { wireName } }) => wireName === field.wireName);
    if (match === undefined || !fits(types, field, match)) continue;
    setField(record, field, match.value);
    removeOthers(record, field, fields);
  }
}

function fits(
  types: TypeFinder,
  { type, constraints }: PlannedField,
  { field, value }: RequestValue,
): boolean {
  if (!isSameType(types.unaliased(type), types.unaliased(field.type))) return false;
  return constraintKey(constraints) === constraintKey(field.constraints) || satisfies(value, constraints);
}

/** Whether a value satisfies the constraints of another field. */
function satisfies(value: unknown, constraints: Constraints): boolean {
  const { minLength = 0, maxLength, pattern, minimum, maximum, normalize } = constraints;
  if (typeof value === "string") {
    const length = [...value].length;
    if (length < minLength || length > (maxLength ?? length)) return false;
    if (normalize === "lowercase" && value !== value.toLowerCase()) return false;
    return pattern === undefined || new RegExp(pattern, "u").test(value);
  }
  if (typeof value !== "number" && typeof value !== "bigint") return pattern === undefined;
  return (
    (minimum === undefined || value >= Number(minimum)) && (maximum === undefined || value <= Number(maximum))
  );
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
