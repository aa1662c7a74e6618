import type { PlannedField } from "../../codegen/plan/plan.ts";
import { TypeFinder } from "../../codegen/plan/type-finder.ts";
import { isIntegerType } from "../../language/model/core-types/integers.ts";
import { isSameType } from "../../language/model/types.ts";
import type { LoadedContract } from "../../verify/in-memory/load.ts";
import type { Resource } from "../../verify/resources/resources.ts";
import { type Random, seededRandom } from "../../verify/samples/random.ts";
import { canonicalJson, type Fields, type Sample } from "./samples.ts";

/** Maximum number of attempts to generate a unique key. */
const keyAttemptsMax = 100;

/** Maximum number of stored records. The oldest are dropped, so that memory use of a long-running mock stays bounded. */
const recordsMax = 10_000;

export interface RecordStoreOptions {
  readonly sample: Sample;
  readonly seed: number;
}

/** Stores the records of a resource in memory. */
export class RecordStore {
  readonly #sample: Sample;
  readonly #resource: Resource;
  readonly #types: TypeFinder;
  readonly #random: Random;
  /** By key, in the order of creation. */
  readonly #records = new Map<string, Fields>();
  #counter = 0;

  constructor(loaded: LoadedContract, resource: Resource, { sample, seed }: RecordStoreOptions) {
    this.#sample = sample;
    this.#resource = resource;
    this.#types = new TypeFinder(loaded.plan);
    this.#random = seededRandom(seed);
  }

  get all(): readonly Fields[] {
    return [...this.#records.values()];
  }

  /** Creates a record from the fields of a request and sample values. Returns undefined if its key exists. */
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
      else setField(record, field, value);
    }
    const key = this.#keyOf(record);
    if (this.#records.has(key)) return undefined;
    this.#records.set(key, record);
    const [oldest] = this.#records.keys();
    if (this.#records.size > recordsMax && oldest !== undefined) this.#records.delete(oldest);
    return record;
  }

  find(typeName: string, request: Fields): Fields | undefined {
    return this.#records.get(this.#keyIn(typeName, request));
  }

  update(typeName: string, request: Fields): Fields | undefined {
    const record = this.find(typeName, request);
    if (record === undefined) return undefined;
    const changed: Record<string, unknown> = { ...record };
    const sources = this.#sources(typeName, request);
    for (const field of this.#fields) {
      const value = sources.find((source) => source.has(field))?.read(field);
      if (value !== undefined) setField(changed, field, value);
    }
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
    const sourceOf = (name: string, values: Fields): Source => {
      const { fields } = this.#types.struct(name);
      const find = ({ wireName, type }: PlannedField): PlannedField | undefined =>
        fields.find((one) => one.wireName === wireName && this.#isSameType(one.type, type));
      return { has: (field) => find(field) !== undefined, read: ({ wireName }) => values[wireName] };
    };
    const inner = this.#types.struct(typeName).fields.flatMap(({ wireName, type }) => {
      const resolved = this.#types.unaliased(type);
      const value = request[wireName];
      return resolved.kind === "struct" && typeof value === "object" && value !== null
        ? [sourceOf(resolved.name, value as Fields)]
        : [];
    });
    return [sourceOf(typeName, request), ...inner];
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
    for (let attempt = 0; attempt < keyAttemptsMax && this.#records.has(this.#keyOf(record)); attempt++)
      setField(record, field, this.#sample(this.#resource.record, this.#random)[wireName]);
  }
}

interface Source {
  has(field: PlannedField): boolean;
  read(field: PlannedField): unknown;
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
