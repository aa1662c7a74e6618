/** Creates, finds, changes and deletes the records of a resource, and lists them in pages. */
import type { FieldPath, PlannedMethod, PlannedPaging } from "../../codegen/plan/plan.ts";
import { TypeFinder } from "../../codegen/plan/type-finder.ts";
import { coreTypeText } from "../../codegen/plan/value-forms.ts";
import { moreNames } from "../../language/model/paging.ts";
import type { LoadedContract } from "../../verify/in-memory/load.ts";
import { defaultSizeOf, valueAt, withValueAt } from "../../verify/resources/paging.ts";
import { type Resource, type Role, recordField, recordsPath } from "../../verify/resources/resources.ts";
import type { Handler, MockContext } from "./mock-context.ts";
import { badRequest, ownErrors } from "./mock-guard.ts";
import type { RecordStore } from "./record-store.ts";
import { type Fields, requestSeed, type Sample } from "./samples.ts";

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
    this.#types = new TypeFinder(loaded.plan);
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
  #forOneRecord(
    status: number,
    run: (request: Fields, requestType: string) => Fields | undefined,
  ): (method: PlannedMethod) => Handler {
    return (method) => (ctx, request) => {
      const record = run(request, method.request.typeName);
      if (record === undefined) throw this.#error(status, method, ctx);
      return this.#response(method, record, ctx, request);
    };
  }

  #response({ response }: PlannedMethod, record: Fields, ctx: MockContext, request: Fields): Fields {
    if (response.typeName === this.#resource.record) return record;
    const field = recordField(this.#loaded.plan, this.#resource, response.typeName);
    const result = this.#sample(response.typeName, requestSeed(ctx.host.seed, response.typeName, request));
    return field === undefined ? result : { ...result, [field]: record };
  }

  #list(method: PlannedMethod, ctx: MockContext, request: Fields): Fields {
    const { paging } = method;
    const { typeName } = method.response;
    const pagingFields = [paging?.size[0], paging?.page[0]].map((field) => field?.wireName ?? "");
    const found = this.#store.matching(method.request.typeName, request, pagingFields);
    const { start, size } =
      paging === undefined ? { start: 0, size: found.length } : sliceOf(paging, request);
    const end = start + size;
    const records = found.slice(start, end);
    const fields: Record<string, unknown> = {
      ...this.#sample(typeName, requestSeed(ctx.host.seed, typeName, request)),
    };
    for (const name of Object.keys(fields)) {
      if (moreNames.has(name) && typeof fields[name] === "boolean") fields[name] = end < found.length;
      if (totalNames.has(name) && typeof fields[name] === "number") fields[name] = found.length;
    }
    const path = recordsPath(this.#loaded.plan, this.#resource, method);
    const listed = path === undefined ? fields : withValueAt(path, fields, records);
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

  /** Returns the method's error with this status, or WebrpcBadRequest if it has none. */
  #error(status: number, method: PlannedMethod, { errors }: MockContext): Error {
    const own = ownErrors(this.#loaded.plan, method);
    const name = own.find(({ httpStatus }) => httpStatus === status)?.name;
    const cause =
      status === 404 ? "the mock has no such record" : "the mock already has a record with this key";
    return (
      (name === undefined ? undefined : errors[name]?.()) ??
      this.#loaded.builtinError(badRequest, { cause, expose: true })
    );
  }
}
