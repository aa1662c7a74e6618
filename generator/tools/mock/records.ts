import type {
  FieldPath,
  PlannedField,
  PlannedMethod,
  PlannedPaging,
  TypeFinder,
} from "../../codegen/plan/plan.ts";
import { coreTypeText } from "../../codegen/plan/type-text.ts";
import { excludedBy, fieldsOf, type Union, unionsOf } from "../../codegen/plan/unions.ts";
import { isIntegerType } from "../../language/model/core-types.ts";
import { moreNames } from "../../language/model/paging.ts";
import { isSameType } from "../../language/model/types.ts";
import type { LoadedContract, LoadedIssue } from "../../verify/in-memory/load.ts";
import { toHandlerValue } from "../../verify/replay/stub-server.ts";
import {
  defaultSizeOf,
  listedRecord,
  type Resource,
  type Role,
  recordField,
  recordsPath,
  valueAt,
  withValueAt,
} from "../../verify/resources/resources.ts";
import { builtInTexts, type TextSource } from "../../verify/samples/example-texts.ts";
import { type Random, seededRandom } from "../../verify/samples/random.ts";
import { Samples } from "../../verify/samples/values.ts";
import {
  badRequest,
  type ErrorMakers,
  type MakeError,
  type MockControls,
  ownErrors,
  requestFailed,
} from "./mock-controls.ts";

/** A subset of the context that generated servers pass to handlers. */
export interface MockContext {
  readonly context: MockControls;
  readonly signal: AbortSignal;
  readonly errors: ErrorMakers;
}

export type Handler = (ctx: MockContext, request: Fields) => unknown;

/** Maximum number of attempts to generate a unique key. */
const maxKeyAttempts = 100;

/** Maximum number of stored records. The oldest are dropped, so that memory use of a long-running mock stays bounded. */
const maxRecords = 10_000;

export interface RecordStoreOptions {
  readonly sample: Sample;
  readonly seed: number;
}

/** The request would create a record that no method can return: a rule of the record is stricter than that of the request. */
class Unreturnable extends Error {
  override readonly name = "Unreturnable";
}

/** Stores the records of a resource in memory. */
export class RecordStore {
  readonly #sample: Sample;
  readonly #resource: Resource;
  readonly #types: TypeFinder;
  readonly #random: Random;
  readonly #check: RecordCheck;
  readonly #unions: readonly Union[];
  readonly #inUnions: ReadonlySet<PlannedField>;
  /** By key, in the order of creation. */
  readonly #records = new Map<string, Fields>();
  #counter = 0;

  constructor(loaded: LoadedContract, resource: Resource, { sample, seed }: RecordStoreOptions) {
    this.#sample = sample;
    this.#resource = resource;
    this.#types = loaded.plan.finder;
    this.#random = seededRandom(seed);
    this.#check = recordCheck(loaded, resource);
    this.#unions = unionsOf(this.#types.struct(resource.record), this.#types);
    this.#inUnions = new Set(this.#unions.flatMap(fieldsOf));
  }

  get all(): readonly Fields[] {
    return [...this.#records.values()];
  }

  /** Creates a record from the fields of a request and sample values. Returns undefined if its key exists. Throws Unreturnable. */
  create(typeName: string | undefined, request: Fields): Fields | undefined {
    const sources = typeName === undefined ? [] : this.#sources(typeName, request);
    const record: Record<string, unknown> = {
      ...this.#sample(this.#resource.record, this.#random),
    };
    for (const field of this.#fields) {
      const given = sources.find((source) => source.has(field));
      const value = given?.read(field);
      const isRequired = !field.optional && !field.nullable;
      if (given === undefined || (value === undefined && isRequired)) this.#setKey(field, record);
      else if (!this.#inUnions.has(field)) setField(record, field, value);
    }
    for (const union of this.#unions) setCase(record, union, (field) => valueIn(sources, field));
    const key = this.#keyOf(record);
    if (this.#records.has(key)) return undefined;
    this.#requireReturnable(record, sources);
    this.#records.set(key, record);
    const [oldest] = this.#records.keys();
    if (this.#records.size > maxRecords && oldest !== undefined) this.#records.delete(oldest);
    return record;
  }

  find(typeName: string, request: Fields): Fields | undefined {
    return this.#records.get(this.#keyIn(typeName, request));
  }

  /** Returns undefined if there is no such record. Throws Unreturnable. */
  update(typeName: string, request: Fields): Fields | undefined {
    const record = this.find(typeName, request);
    if (record === undefined) return undefined;
    const changed: Record<string, unknown> = { ...record };
    const sources = this.#sources(typeName, request);
    for (const field of this.#fields) {
      const value = valueIn(sources, field);
      if (value !== undefined && !this.#inUnions.has(field)) setField(changed, field, value);
    }
    for (const union of this.#unions)
      setCase(changed, union, (field) => {
        const given = valueIn(sources, field);
        return union.kind === undefined ? given : (given ?? record[field.wireName]);
      });
    this.#requireReturnable(changed, sources);
    this.#records.set(this.#keyOf(record), changed);
    return changed;
  }

  delete(typeName: string, request: Fields): Fields | undefined {
    const record = this.find(typeName, request);
    if (record !== undefined) this.#records.delete(this.#keyOf(record));
    return record;
  }

  /** Returns the records that have the values of the request in fields of the same name and type. */
  matching(typeName: string, request: Fields, excludedFields: readonly string[]): readonly Fields[] {
    const fields = this.#types.struct(typeName).fields.filter(({ wireName, type }) => {
      const own = this.#fields.find((field) => field.wireName === wireName);
      return own !== undefined && this.#isSameType(own.type, type) && !excludedFields.includes(wireName);
    });
    const given = fields.filter(({ wireName }) => (request[wireName] ?? null) !== null);
    return this.all.filter((record) =>
      given.every(({ wireName }) => canonicalJson(record[wireName]) === canonicalJson(request[wireName])),
    );
  }

  get #fields(): readonly PlannedField[] {
    return this.#types.struct(this.#resource.record).fields;
  }

  /** The parts of a request that may contain fields of a record: the request itself and the structs in it. */
  #sources(typeName: string, request: Fields): readonly Source[] {
    const sourceOf = (name: string, values: Fields, path = ""): Source => {
      const { fields } = this.#types.struct(name);
      const find = ({ wireName, type }: PlannedField): PlannedField | undefined =>
        fields.find((one) => one.wireName === wireName && this.#isSameType(one.type, type));
      return { has: (field) => find(field) !== undefined, read: ({ wireName }) => values[wireName], path };
    };
    const inner = this.#types.struct(typeName).fields.flatMap(({ wireName, type }) => {
      const resolved = this.#types.unaliased(type);
      const value = request[wireName];
      return resolved.kind === "struct" && typeof value === "object" && value !== null
        ? [sourceOf(resolved.name, value as Fields, `/${wireName}`)]
        : [];
    });
    return [sourceOf(typeName, request), ...inner];
  }

  /** Sample values are always valid, so only values of the request are checked. */
  #requireReturnable(record: Fields, sources: readonly Source[]): void {
    for (const { path, message } of this.#check(record)) {
      const field = this.#fields.find(({ wireName }) => wireName === path[0]);
      const source = field && sources.find((one) => one.has(field) && one.read(field) !== undefined);
      if (source !== undefined)
        throw new Unreturnable(
          `the mock could not return this record: ${source.path}/${path.join("/")}: ${message}`,
        );
    }
  }

  #isSameType(a: PlannedField["type"], b: PlannedField["type"]): boolean {
    return isSameType(this.#types.unaliased(a), this.#types.unaliased(b));
  }

  /** The key may be in a struct of the request: `Update(item: Item)`. */
  #keyIn(typeName: string, request: Fields): string {
    const [, ...inner] = this.#sources(typeName, request);
    const keys = this.#fields.filter(({ wireName }) => this.#resource.keys.includes(wireName));
    const found = keys.map((field) => [
      field.wireName,
      request[field.wireName] ?? inner.find((source) => source.has(field))?.read(field),
    ]);
    return this.#keyOf(Object.fromEntries(found));
  }

  #keyOf(values: Fields): string {
    const { keys } = this.#resource;
    // Records of a resource without key fields can only be listed.
    return keys.length === 0 ? `${this.#counter++}` : canonicalJson(keys.map((name) => values[name]));
  }

  /** Sets a unique key. Numbers count up. Strings are random, within the constraints of the field. */
  #setKey(field: PlannedField, record: Record<string, unknown>): void {
    const { wireName, constraints } = field;
    if (!this.#resource.keys.includes(wireName)) return;
    const resolved = this.#types.unaliased(field.type);
    if (resolved.kind === "core" && (isIntegerType(resolved.name) || resolved.name === "bigint")) {
      const number = Math.max(1, Number(constraints.minimum ?? 1)) + this.#counter++;
      setField(record, field, typeof record[wireName] === "bigint" ? BigInt(number) : number);
      return;
    }
    for (let attempt = 0; attempt < maxKeyAttempts && this.#records.has(this.#keyOf(record)); attempt++)
      setField(record, field, this.#sample(this.#resource.record, this.#random)[wireName]);
  }
}

/** The value of a field in a request. */
function valueIn(sources: readonly Source[], field: PlannedField): unknown {
  return sources.find((source) => source.has(field))?.read(field);
}

interface Source {
  has(field: PlannedField): boolean;
  read(field: PlannedField): unknown;
  /** JSON Pointer of the struct in the request. */
  readonly path: string;
}

/** Returns the issues of a record in a response, with paths from the record. */
type RecordCheck = (record: Fields) => readonly LoadedIssue[];

function recordCheck({ plan, checkResponse }: LoadedContract, resource: Resource): RecordCheck {
  for (const role of ["get", "create", "update", "delete", "list"] as const) {
    const method = resource[role]?.method;
    if (method === undefined || method.response.isEmpty || method.streamOutput) continue;
    const { typeName } = method.response;
    const field = role === "list" ? undefined : recordField(plan, resource, typeName);
    const list = role === "list" ? recordsPath(plan, resource, method) : undefined;
    if (typeName !== resource.record && field === undefined && list === undefined) continue;
    const above = field === undefined ? (list ?? []).map(({ wireName }) => wireName) : [field];
    const depth = above.length + (list === undefined ? 0 : 1);
    return (record) => {
      const inner: unknown = list === undefined ? record : [listedRecord(plan, list, record)];
      const response = above.reduceRight((value: unknown, name) => ({ [name]: value }), inner);
      const { listed = [] } = checkResponse(method.path, response) ?? {};
      return listed
        .filter(({ path }) => path.length > depth && above.every((name, index) => path[index] === name))
        .map((issue) => ({ ...issue, path: issue.path.slice(depth) }));
    };
  }
  return () => [];
}

/** Sets a field and its twins. `undefined` removes the field, or sets null if the field is never absent. */
export function setField(record: Record<string, unknown>, field: PlannedField, value: unknown): void {
  for (const name of [field.wireName, ...field.twins]) {
    if (value === undefined && !field.nullable) delete record[name];
    else
      Object.defineProperty(record, name, {
        value: value ?? null,
        writable: true,
        enumerable: true,
        configurable: true,
      });
  }
}

/** Sets the fields of the case that the values make up. Without all fields of a case, the record stays the same. */
export function setCase(
  record: Record<string, unknown>,
  union: Union,
  given: (field: PlannedField) => unknown,
): void {
  const isGiven = (field: PlannedField): boolean => (given(field) ?? null) !== null;
  const own = union.cases.find(
    ({ kind, required }) =>
      (union.kind === undefined || given(union.kind) === kind?.wire) && required.every(isGiven),
  );
  if (own === undefined) return;
  const excluded = excludedBy(own, union);
  for (const field of fieldsOf(union)) {
    if (isGiven(field) || excluded.includes(field))
      setField(record, field, excluded.includes(field) ? undefined : given(field));
  }
}

/* Creates, finds, changes and deletes the records of a resource, and lists them in pages. */

/** Common names of response fields for the total count. */
const totalNames: ReadonlySet<string> = new Set(["total", "totalCount", "count"]);

/** Returns which records a request selects. */
function sliceOf(paging: PlannedPaging, request: Fields): { readonly start: number; readonly size: number } {
  const size = Number(valueAt(paging.size, request) ?? defaultSizeOf(paging) ?? 20);
  const page = valueAt(paging.page, request);
  const first = Number(paging.firstPage);
  const start = paging.isCursor ? Number(page ?? 0) : (Number(page ?? first) - first) * size;
  // A cursor may be any text.
  return { start: Math.max(0, start || 0), size };
}

type Run = (request: Fields, requestType: string) => Fields | undefined;

/** The handlers of a resource's methods. */
export class RecordHandlers {
  readonly #loaded: LoadedContract;
  readonly #sample: Sample;
  readonly #resource: Resource;
  readonly #store: RecordStore;
  readonly #types: TypeFinder;

  constructor(
    loaded: LoadedContract,
    resource: Resource,
    { store, sample }: { readonly store: RecordStore; readonly sample: Sample },
  ) {
    this.#loaded = loaded;
    this.#sample = sample;
    this.#resource = resource;
    this.#store = store;
    this.#types = loaded.plan.finder;
  }

  handlers(): ReadonlyMap<PlannedMethod, Handler> {
    const handlers = Object.entries(this.#factories).flatMap(([role, make]) => {
      const method = this.#resource[role as Role]?.method;
      const isPlain = method !== undefined && !method.streamOutput && !method.fileOutput;
      return isPlain ? [[method, make(method)] as const] : [];
    });
    return new Map(handlers);
  }

  readonly #factories: Readonly<Record<Role, (method: PlannedMethod) => Handler>> = {
    create: this.#forOneRecord(409, (request, type) => this.#store.create(type, request)),
    get: this.#forOneRecord(404, (request, type) => this.#store.find(type, request)),
    update: this.#forOneRecord(404, (request, type) => this.#store.update(type, request)),
    delete: this.#forOneRecord(404, (request, type) => this.#store.delete(type, request)),
    list: (method) => (ctx, request) => this.#list(method, ctx, request),
  };

  /** `status` is that of the error when `run` returns no record. */
  #forOneRecord(status: number, run: Run): (method: PlannedMethod) => Handler {
    return (method) => (ctx, request) => {
      const record = this.#run(run, request, method);
      if (record === undefined) throw this.#error(status, method, ctx);
      return this.#response(method, record, ctx, request);
    };
  }

  #run(run: Run, request: Fields, { request: { typeName } }: PlannedMethod): Fields | undefined {
    try {
      return run(request, typeName);
    } catch (err) {
      if (!(err instanceof Unreturnable)) throw err;
      throw this.#loaded.protocolError(badRequest, { cause: err.message, expose: true });
    }
  }

  #response({ response }: PlannedMethod, record: Fields, ctx: MockContext, request: Fields): Fields {
    if (response.typeName === this.#resource.record) return record;
    const field = recordField(this.#loaded.plan, this.#resource, response.typeName);
    const result = this.#sample(response.typeName, requestSeed(ctx.context.seed, response.typeName, request));
    if (field !== undefined) return { ...result, [field]: record };
    // A response may have the key of a record only.
    const keys = this.#types
      .struct(response.typeName)
      .fields.filter(({ wireName }) => this.#resource.keys.includes(wireName));
    return { ...result, ...Object.fromEntries(keys.map(({ wireName }) => [wireName, record[wireName]])) };
  }

  #list(method: PlannedMethod, ctx: MockContext, request: Fields): Fields {
    const { paging } = method;
    const { typeName } = method.response;
    const pagingFields = [paging?.size[0], paging?.page[0]].map((field) => field?.wireName ?? "");
    const found = this.#store.matching(method.request.typeName, request, pagingFields);
    const { start, size } =
      paging === undefined ? { start: 0, size: found.length } : sliceOf(paging, request);
    const end = start + size;
    const fields: Record<string, unknown> = {
      ...this.#sample(typeName, requestSeed(ctx.context.seed, typeName, request)),
    };
    for (const name of Object.keys(fields)) {
      if (moreNames.has(name) && typeof fields[name] === "boolean") fields[name] = end < found.length;
      if (totalNames.has(name) && typeof fields[name] === "number") fields[name] = found.length;
    }
    const path = recordsPath(this.#loaded.plan, this.#resource, method);
    const records = path && found.slice(start, end).map((one) => listedRecord(this.#loaded.plan, path, one));
    const listed = path === undefined ? fields : withValueAt<unknown>(path, fields, records);
    if (paging?.more === undefined) return listed;
    const follows = end < found.length;
    return withValueAt(
      paging.more,
      listed,
      paging.isCursor ? this.#cursor(paging.more, end, follows) : follows,
    );
  }

  /** Returns the number of the next record in the form of the field, and an empty value after the last page. */
  #cursor(path: FieldPath, next: number, follows: boolean): unknown {
    const field = path.at(-1);
    if (field === undefined) return undefined;
    if (!follows && (field.optional || field.nullable)) return field.nullable ? null : undefined;
    const type = this.#types.unaliased(field.type);
    if (type.kind !== "core" || type.name === "string") return follows ? `${next}` : "";
    const number = follows ? next : 0;
    return coreTypeText(type.name, this.#loaded.plan) === "bigint" ? BigInt(number) : number;
  }

  /** Returns the method's error with this status, or WebrpcRequestFailed if it has none: the request is valid. */
  #error(status: number, method: PlannedMethod, { context, errors }: MockContext): Error {
    const own = ownErrors(this.#loaded.plan, method);
    const name = own.find(({ httpStatus }) => httpStatus === status)?.name;
    const cause =
      status === 404 ? "the mock has no such record" : "the mock already has a record with this key";
    return (
      (name === undefined ? undefined : errorMaker(this.#loaded, this.#sample)(name, errors, context.seed)) ??
      this.#loaded.protocolError(requestFailed, { cause, expose: true })
    );
  }
}

export type Fields = Readonly<Record<string, unknown>>;

/** Generates a response struct as handlers return it. The same seed gives the same struct. */
export type Sample = (typeName: string, seed: number | Random) => Fields;

/** Prefers examples in the schema, then strings that suit the field's name, then any valid values. */
export function sampler(loaded: LoadedContract, texts: TextSource = builtInTexts): Sample {
  return (typeName, seed) => {
    const random = typeof seed === "number" ? seededRandom(seed) : seed;
    const options = { side: "response", random, style: "plain", optional: "some", texts } as const;
    return toHandlerValue(loaded, typeName, new Samples(loaded.plan, options).body(typeName), []);
  };
}

/** Creates errors with generated data. */
export function errorMaker({ plan }: LoadedContract, sample: Sample): MakeError {
  return (name, errors, seed) => {
    const make = Object.hasOwn(errors, name) ? errors[name] : undefined;
    const data = plan.errors.find((error) => error.name === name)?.data;
    return data === undefined ? make?.() : make?.(sample(data.typeName, requestSeed(seed, name, {})));
  };
}

/** Hashes a request (FNV-1a), so that the same request gets the same response, independent of earlier calls. */
export function requestSeed(seed: number, method: string, request: unknown): number {
  const text = `${seed} ${method} ${canonicalJson(request)}`;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** JSON of a handler's input, with bigints as strings and every file as "file". */
function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === "bigint" ? `${inner}` : inner instanceof Blob ? "file" : inner,
    ) ?? ""
  );
}
