import { isJsonObject, type Json } from "../../codegen/plan/json.ts";
import type {
  Plan,
  PlannedField,
  PlannedMethod,
  PlannedService,
  TypeFinder,
} from "../../codegen/plan/plan.ts";
import { isInUnion, unionsOf } from "../../codegen/plan/unions.ts";
import { isSameType, type ResolvedType } from "../../language/model/types.ts";
import { wordsOf } from "../samples/meaning.ts";
import type { Random } from "../samples/random.ts";
import { satisfies } from "../samples/satisfies.ts";
import type { TestedMethod } from "./tester.ts";

type Fields = Readonly<Record<string, Json>>;

/** A struct in an earlier response. */
interface KnownRecord {
  readonly struct: string;
  /** What the struct is a record of: `doctor`, for the struct `Doctor` and for the response of `Doctors.Get`. */
  readonly nouns: readonly string[];
  readonly values: Fields;
  /** Whether the test has created or changed the record. */
  readonly isOwn: boolean;
}

/** A field of a known record that a field of a request refers to. */
interface Source {
  readonly record: KnownRecord;
  readonly field: PlannedField;
}

interface Request {
  readonly service: PlannedService;
  readonly method: PlannedMethod;
  readonly body: Json;
}

/** Number of records that are kept of each struct. The oldest are dropped first. */
const maxRecords = 50;

/** Words at the end of a name that refers to a record. */
const keyWords = /^(?:(.*) )?(id|uuid|guid|key|slug|code|number|ref|reference)s?$/;

/**
 * The records in the responses of a server. Requests refer to them by their keys, so that calls reach more than "not found":
 * `doctorId` takes an `id` of a `Doctor`, or a `doctorId` of any record.
 */
export class KnownRecords {
  readonly #types: TypeFinder;
  readonly #records = new Map<string, KnownRecord[]>();

  constructor(plan: Plan) {
    this.#types = plan.finder;
  }

  /** Keeps the records of a successful response. */
  add({ service, method, body }: Request): void {
    const { response, annotations, streamOutput } = method;
    if (response.isEmpty) return;
    const isOwn = !annotations.has("readonly") && method.read === undefined;
    const own = nounsOf(service, method);
    const bodies = streamOutput && Array.isArray(body) ? body : [body];
    for (const one of bodies) this.#addStruct(response.typeName, one, isOwn, own);
  }

  #addStruct(struct: string, values: unknown, isOwn: boolean, context: readonly string[] = []): void {
    if (!isJsonObject(values)) return;
    const records = this.#records.get(struct) ?? [];
    records.push({ struct, nouns: [nounOf(struct), ...context], values, isOwn });
    this.#records.set(struct, records.slice(-maxRecords));
    for (const { wireName, type } of this.#types.struct(struct).fields)
      this.#addValue(type, values[wireName], isOwn);
  }

  #addValue(type: ResolvedType, value: unknown, isOwn: boolean): void {
    const resolved = this.#types.unaliased(type);
    if (resolved.kind === "struct") this.#addStruct(resolved.name, value, isOwn);
    if (resolved.kind === "list" && Array.isArray(value))
      for (const item of value) this.#addValue(resolved.element, item, isOwn);
  }

  /** Returns a request that refers to known records. Undefined if it needs none, or none is known. */
  fill({ service, method, body }: Request, random: Random): Json | undefined {
    const nouns = [...nounsOf(service, method), ...this.#responseNouns(method)];
    let isFilled = false;

    const inStruct = (name: string, values: Json): Json => {
      if (!isJsonObject(values)) return values;
      const struct = this.#types.struct(name);
      const kinds = new Set(unionsOf(struct, this.#types).map(({ kind }) => kind));
      // A kind stays the same, and an absent field of a union stays absent.
      const fields = struct.fields.filter(
        (field) => !kinds.has(field) && (!isInUnion(field) || (values[field.wireName] ?? null) !== null),
      );
      const filled: Record<string, Json> = {};
      for (const field of fields) {
        if (Object.hasOwn(filled, field.wireName) || !Object.hasOwn(values, field.wireName)) continue;
        const sources = this.#sourcesOf(field, method, nouns);
        const source = this.#pick(sources, random);
        if (source === undefined) continue;
        isFilled = true;
        filled[field.wireName] = valueFor(this.#types.unaliased(field.type), source);
        // Values that belong together, such as a doctor and a free slot of this doctor.
        if (random.chance(50)) Object.assign(filled, this.#sameFields(source.record, fields, { ...filled }));
      }
      return Object.fromEntries(
        Object.entries(values).map(([key, value]) => {
          if (Object.hasOwn(filled, key)) return [key, filled[key] ?? null];
          const field = fields.find(({ wireName }) => wireName === key);
          return [key, field === undefined ? value : inValue(field.type, value)];
        }),
      );
    };
    const inValue = (type: ResolvedType, value: Json): Json => {
      const resolved = this.#types.unaliased(type);
      if (resolved.kind === "struct") return inStruct(resolved.name, value);
      if (resolved.kind !== "list" || !Array.isArray(value)) return value;
      return (value as readonly Json[]).map((item) => inValue(resolved.element, item));
    };

    const filled = inStruct(method.request.typeName, body);
    return isFilled ? filled : undefined;
  }

  /** The fields of known records that a field of a request may refer to. */
  #sourcesOf(field: PlannedField, method: PlannedMethod, ownNouns: readonly string[]): readonly Source[] {
    const type = this.#types.unaliased(field.type);
    const item = type.kind === "list" ? type.element : field.type;
    const [, stem, key] = keyWords.exec(wordsOf(field.wireName)) ?? [];
    if (key === undefined || (stem === undefined && createsRecords(method))) return [];
    const unaliased = this.#types.unaliased(item);
    const all = [...this.#records.values()].flat().flatMap((record) =>
      this.#types
        .struct(record.struct)
        .fields.filter(({ type: known }) => isSameType(this.#types.unaliased(known), unaliased))
        .filter(({ wireName }) => this.#fits(field, record.values[wireName]))
        .map((known): Source => ({ record, field: known })),
    );
    const own = all.filter(({ record }) => record.isOwn || !removesRecords(method));
    const sameAlias = own.filter(({ field: known }) => item.kind === "alias" && isSameType(known.type, item));
    if (sameAlias.length > 0) return sameAlias;
    const nouns = stem === undefined ? ownNouns : [singular(stem)];
    const keys = own.filter(({ field: { wireName } }) => wordsOf(wireName) === key);
    const owned = keys.filter(({ record }) =>
      record.nouns.some((noun) => nouns.some((one) => isSameNoun(one, noun))),
    );
    if (stem === undefined) return owned.length > 0 ? owned : keys;
    const name = `${singular(stem)} ${key}`;
    return [...owned, ...own.filter(({ field: { wireName } }) => wordsOf(wireName) === name)];
  }

  /** Picks a struct first, because there may be many records of one struct and few of another. */
  #pick(sources: readonly Source[], random: Random): Source | undefined {
    const structs = [...new Set(sources.map(({ record }) => record.struct))];
    if (structs.length === 0) return undefined;
    const struct = random.pick(structs);
    return random.pick(sources.filter(({ record }) => record.struct === struct));
  }

  #sameFields({ struct, values }: KnownRecord, fields: readonly PlannedField[], known: Fields): Fields {
    const own = this.#types.struct(struct).fields;
    const isShared = (field: PlannedField): boolean =>
      !Object.hasOwn(known, field.wireName) &&
      this.#fits(field, values[field.wireName]) &&
      own.some(
        (one) =>
          one.wireName === field.wireName &&
          isSameType(this.#types.unaliased(one.type), this.#types.unaliased(field.type)),
      );
    return Object.fromEntries(
      fields.filter(isShared).map(({ wireName }) => [wireName, values[wireName] ?? null]),
    );
  }

  /** Whether a field, or a list with one item, may have a value of a response. */
  #fits({ type, constraints }: PlannedField, value: unknown): boolean {
    if (!isScalar(value)) return false;
    const resolved = this.#types.unaliased(type);
    if (resolved.kind !== "list") return satisfies(value, constraints);
    const { element } = resolved;
    return (
      (constraints.minItems ?? 0) <= 1 &&
      (element.kind !== "alias" || satisfies(value, this.#types.alias(element.name).constraints))
    );
  }

  #responseNouns({ response }: PlannedMethod): readonly string[] {
    if (response.isEmpty) return [];
    const structs = this.#types.struct(response.typeName).fields.flatMap(({ type }) => {
      const resolved = this.#types.unaliased(type);
      const item = resolved.kind === "list" ? this.#types.unaliased(resolved.element) : resolved;
      return item.kind === "struct" ? [item.name] : [];
    });
    return [response.typeName, ...structs].map(nounOf);
  }
}

function valueFor({ kind }: { readonly kind: string }, { record, field }: Source): Json {
  const value = record.values[field.wireName] ?? null;
  return kind === "list" ? [value] : value;
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "bigint"].includes(typeof value) && value !== "";
}

/** `Doctors.Get` and `Clinic.GetDoctor` are about a doctor. */
function nounsOf({ name: service }: PlannedService, { name: method }: PlannedMethod): readonly string[] {
  const [, ...object] = wordsOf(method).split(" ");
  return [singular(wordsOf(service)), ...(object.length === 0 ? [] : [singular(object.join(" "))])];
}

function nounOf(struct: string): string {
  return wordsOf(struct).replace(/ (response|result|reply|answer)$/, "");
}

function singular(words: string): string {
  return words.replace(/ies$/, "y").replace(/(?<!s)s$/, "");
}

/** `doctor` stands for `assigned doctor`, too. */
function isSameNoun(one: string, other: string): boolean {
  return one === other || one.endsWith(` ${other}`) || other.endsWith(` ${one}`);
}

/** `Logout`, `RevokeToken`, `DeleteAccount`, and `Delete` of a service `Account`. */
const endsSession =
  /^(log ?out|sign ?out|log ?off|sign ?off)( |$)|^(revoke|invalidate|end|close|delete|remove|rotate|disable|deactivate) (my |own |all |the |current )*(session|token|credential|account|user|access key|api key|key|me|self)s?$|^(deactivate|revoke)$/;

const removes =
  /^(delete|remove|destroy|drop|erase|purge|cancel|archive|close|revoke|deactivate|disable)( |$)/;

/** Whether a method takes records away, so that later calls may miss them. */
export function removesRecords({ name, annotations, route }: PlannedMethod): boolean {
  return annotations.has("delete") || route?.verb === "DELETE" || removes.test(wordsOf(name));
}

const creates = /^(create|add|new|register|insert)( |$)/;

/** Whether a method creates a record, and thus takes no existing key of it. */
function createsRecords({ name, annotations }: PlannedMethod): boolean {
  return annotations.has("create") || creates.test(wordsOf(name));
}

/** Whether a method's name suggests that the server no longer accepts the credential after a call. */
export function mayEndSession({ service, method }: TestedMethod): boolean {
  const verb = wordsOf(method.name);
  return endsSession.test(verb) || endsSession.test(`${verb} ${wordsOf(service.name)}`);
}
