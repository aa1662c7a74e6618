import { type CoreType, coreTypes } from "../../../language/model/core-types.ts";
import { checkedFormat } from "../../../language/model/meta/keys.ts";
import { type Constraints, unconstrained } from "../../../language/model/meta/read.ts";
import {
  isBytes,
  type MapKeyType,
  type ResolvedType,
  type UnaliasedType,
} from "../../../language/model/types.ts";
import type { Json } from "../json.ts";
import { claimName, withoutEscape } from "../names.ts";
import type {
  Plan,
  PlannedAlias,
  PlannedEnum,
  PlannedField,
  PlannedFile,
  PlannedStruct,
  TypeFinder,
} from "../plan.ts";
import { bigintRange, coreTypeText, type ValueForms } from "../type-text.ts";
import { excludedBy, type Union, type UnionCase, unionsOf } from "../unions.ts";

/* What is known about the conversion of values between two versions. */

/** Requests are converted up, to the next version; responses down. */
export type Direction = "up" | "down";

/** How a value is converted. */
export type Conversion =
  | { readonly kind: "same" | "number" | "bigint" | "lowercase" }
  | { readonly kind: "list" | "map"; readonly item: Conversion }
  | { readonly kind: "pair"; readonly pair: TypePair };

/** A type of one version, and the type of the other version that its values become. */
export interface TypePair {
  /** Name of the function that converts. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly parts: PairParts;
  /** Values are passed on unchanged. */
  readonly isSame: boolean;
  /** A converted value may break a rule of the other version. */
  readonly needsCheck: boolean;
  /** The conversion needs a custom function, because no rule can convert every value. */
  readonly isCustom: boolean;
}

type PairParts =
  /** `dropped`: names under which a copy of the value must have no field. */
  | { readonly kind: "struct"; readonly fields: readonly FieldStep[]; readonly dropped: readonly string[] }
  /** `missing`: values that the other version lacks. */
  | { readonly kind: "enum"; readonly missing: readonly string[] }
  | { readonly kind: "alias"; readonly target: Conversion };

/** How a field, or a file, of the other version gets its value. */
export interface FieldStep {
  /** Name on the wire. */
  readonly name: string;
  /** Whether the field may be absent. */
  readonly isOptional: boolean;
  /** Null is a value of its own, other than absent. */
  readonly keepsNull: boolean;
  readonly source?: FieldSource;
  /** What the field gets if there is no value. */
  readonly absent: Absent;
}

interface FieldSource {
  readonly name: string;
  readonly presence: Presence;
  readonly conversion: Conversion;
}

export type Absent =
  | { readonly kind: "omit" | "null" | "custom" }
  | { readonly kind: "default"; readonly value: Json | bigint; readonly isDate: boolean };

/** Whether a field always has a value, may be absent, is null without one, or may be absent or null, which differ. */
type Presence = "always" | "optional" | "nullable" | "omittable";

const same: Conversion = { kind: "same" };

/** Whether a conversion without named types changes nothing. */
function isSameConversion(conversion: Conversion): boolean {
  if (conversion.kind === "list" || conversion.kind === "map")
    return conversion.item.kind === "pair" || isSameConversion(conversion.item);
  return conversion.kind === "same";
}

/** Whether a conversion changes nothing. To be asked when all conversions are known. */
export function changesNothing(conversion: Conversion): boolean {
  if (conversion.kind === "pair") return conversion.pair.isSame;
  return conversion.kind === "list" || conversion.kind === "map"
    ? changesNothing(conversion.item)
    : conversion.kind === "same";
}

/* How values of one version become values of the next version, or of the one before. */

/** The conversions of one direction between two versions. */
export class Conversions {
  readonly direction: Direction;
  readonly from: Plan;
  readonly to: Plan;
  readonly #from: TypeFinder;
  readonly #to: TypeFinder;
  readonly #pairs = new Map<string, MutablePair>();
  readonly #names: Set<string>;
  /** Pairs whose parts are not known yet. */
  readonly #pending: MutablePair[] = [];
  /** The pair whose parts are being determined. */
  #current: MutablePair | undefined;

  constructor(direction: Direction, from: Plan, to: Plan, names: Set<string>) {
    this.direction = direction;
    this.from = from;
    this.to = to;
    this.#from = from.finder;
    this.#to = to.finder;
    this.#names = names;
  }

  /** Returns the conversion of a body. */
  body(from: string, to: string): TypePair {
    return this.#pair("struct", from, to);
  }

  /** Determines all conversions. To be called when all bodies are known. */
  complete(): readonly TypePair[] {
    for (let pair = this.#pending.pop(); pair !== undefined; pair = this.#pending.pop()) {
      this.#current = pair;
      this.#fill(pair);
    }
    this.#current = undefined;
    const all = [...this.#pairs.values()];
    spread(all, "isSame", false);
    spread(all, "needsCheck", true);
    spread(all, "isCustom", true);
    return all;
  }

  #pair(kind: PairParts["kind"], from: string, to: string): MutablePair {
    const key = `${kind} ${from} ${to}`;
    let pair = this.#pairs.get(key);
    if (pair === undefined) {
      const old = this.direction === "up" ? from : to;
      const name = claimName(`${this.direction}${withoutEscape(old)}`, this.#names);
      const parts: PairParts = { kind: "struct", fields: [], dropped: [] };
      pair = { name, from, to, parts, isSame: true, needsCheck: false, isCustom: false, holders: new Set() };
      this.#pairs.set(key, pair);
      this.#pending.push(pair);
      if (kind === "enum") pair.parts = { kind, missing: [] };
      if (kind === "alias") pair.parts = { kind, target: same };
    }
    if (this.#current !== undefined) pair.holders.add(this.#current);
    return pair;
  }

  #fill(pair: MutablePair): void {
    const { from, to } = pair;
    switch (pair.parts.kind) {
      case "struct": {
        pair.parts = {
          kind: "struct",
          ...this.#fields(pair, this.#from.struct(from), this.#to.struct(to)),
        };
        return;
      }
      case "enum": {
        const missing = missingValues(this.#from.enum(from), this.#to.enum(to));
        pair.parts = { kind: "enum", missing };
        if (missing.length === 0) return;
        pair.isSame = false;
        pair.isCustom = true;
        pair.needsCheck = true;
        return;
      }
      case "alias": {
        const target = this.#convert(aliased(this.#from.alias(from)), aliased(this.#to.alias(to))) ?? same;
        pair.parts = { kind: "alias", target };
        if (target.kind !== "pair" && !isSameConversion(target)) pair.isSame = false;
      }
    }
  }

  #fields(
    pair: MutablePair,
    from: PlannedStruct,
    to: PlannedStruct,
  ): { readonly fields: readonly FieldStep[]; readonly dropped: readonly string[] } {
    const [before, after] = this.direction === "up" ? [from, to] : [to, from];
    const oldNames = pairFields(before.fields, after.fields);
    const sourceNames =
      this.direction === "up" ? oldNames : new Map([...oldNames].map(([now, then]) => [then, now]));
    const byName = new Map(from.fields.map((field) => [field.wireName, field]));
    const sourceOf = ({ wireName }: PlannedField): PlannedField | undefined =>
      byName.get(sourceNames.get(wireName) ?? "");
    const fields = to.fields.map((field) => this.#field(pair, field, sourceOf(field)));
    const unions = unionsOf(from, this.#from);
    const isEnsured = (union: Union): boolean => unions.some((one) => fitsUnion(one, union, sourceOf));
    if (!unionsOf(to, this.#to).every(isEnsured)) pair.needsCheck = true;
    const files = (to.files ?? []).map((file) => fileStep(pair, file, from.files ?? []));
    const steps = [...fields, ...files];
    const kept = new Set(steps.filter(keepsName).map(({ name }) => name));
    const given = [
      ...from.fields.map(({ wireName }) => wireName),
      ...(from.files ?? []).map(({ name }) => name),
    ];
    // Requests have declared fields only. What handlers return may have more.
    const names = this.direction === "up" ? given : [...given, ...steps.map(({ name }) => name)];
    const dropped = [...new Set(names)].filter((name) => !kept.has(name));
    if (dropped.length > 0) pair.isSame = false;
    return { fields: steps, dropped };
  }

  #field(pair: MutablePair, to: PlannedField, from: PlannedField | undefined): FieldStep {
    const { wireName: name } = to;
    const conversion = from && this.#convert(from, to);
    const presence = presenceOf(to, this.direction);
    const absent =
      conversion === undefined && from !== undefined
        ? custom
        : absentOf(to, presence, this.direction, this.#to, this.to);
    const keepsNull = presence === "omittable";
    const step = { name, isOptional: presence === "optional" || keepsNull, keepsNull, absent };
    if (from === undefined || conversion === undefined) {
      if (absent.kind !== "omit") pair.isSame = false;
      if (absent.kind === "custom") pair.isCustom = pair.needsCheck = true;
      return step;
    }
    const given = presenceOf(from, this.direction);
    if (!allowsAll(ruled(to, this.#to), ruled(from, this.#from), this.to)) pair.needsCheck = true;
    if (given !== "always" && given !== presence) {
      pair.isSame = false;
      if (absent.kind === "custom") pair.isCustom = pair.needsCheck = true;
    }
    if (from.wireName !== name || !(conversion.kind === "pair" || isSameConversion(conversion)))
      pair.isSame = false;
    return { ...step, source: { name: from.wireName, presence: given, conversion } };
  }

  /** Returns how a value is converted. Undefined if the types have nothing in common. */
  #convert(from: Constrained, to: Constrained): Conversion | undefined {
    const [a, b] = [this.#from.unaliased(from.type), this.#to.unaliased(to.type)];
    if (isBytes(a) || isBytes(b)) return isBytes(a) && isBytes(b) ? same : undefined;
    if (a.kind === "struct" || a.kind === "enum")
      return a.kind === b.kind ? { kind: "pair", pair: this.#pair(a.kind, a.name, b.name) } : undefined;
    if (a.kind === "core") return b.kind === "core" ? this.#core(a, b, from, to) : undefined;
    if (a.kind === "unknown" || b.kind === "unknown") return a.kind === b.kind ? same : undefined;
    if (from.type.kind === "alias" && to.type.kind === "alias") {
      if (!this.#areConvertible(from.type, to.type, new Set())) return undefined;
      return { kind: "pair", pair: this.#pair("alias", from.type.name, to.type.name) };
    }
    if (a.kind === "list" && b.kind === "list") return this.#items("list", a.element, b.element);
    if (a.kind === "map" && b.kind === "map")
      return this.#areSameKeys(a.key, b.key) ? this.#items("map", a.value, b.value) : undefined;
    return undefined;
  }

  #items(kind: "list" | "map", from: ResolvedType, to: ResolvedType): Conversion | undefined {
    const [a, b] = [itemOf(from, this.#from), itemOf(to, this.#to)];
    const item = this.#convert(a, b);
    if (item === undefined) return undefined;
    if (this.#current !== undefined && !allowsAll(ruled(b, this.#to), ruled(a, this.#from), this.to))
      this.#current.needsCheck = true;
    return item.kind === "same" ? same : { kind, item };
  }

  #core(
    from: CoreReference,
    to: CoreReference,
    given: Constrained,
    { constraints: { normalize } }: Constrained,
  ): Conversion | undefined {
    const texts = [coreTypeText(from.name, this.from), coreTypeText(to.name, this.to)] as const;
    // Values of the other version may be normalized already.
    return coreConversion(from, to, given.constraints.normalize === normalize ? undefined : normalize, texts);
  }

  #areSameKeys(from: MapKeyType, to: MapKeyType): boolean {
    const [a, b] = [this.#from.unaliased(from), this.#to.unaliased(to)];
    if (a.kind === "enum" && b.kind === "enum")
      return missingValues(this.#from.enum(a.name), this.#to.enum(b.name)).length === 0;
    if (a.kind !== "core" || b.kind !== "core" || a.name !== b.name) return false;
    return allowsAll(
      ruled(itemOf(to, this.#to), this.#to),
      ruled(itemOf(from, this.#from), this.#from),
      this.to,
    );
  }

  /** Like `#convert`, for aliases, which may be recursive. */
  #areConvertible(from: ResolvedType, to: ResolvedType, assumed: Set<string>): boolean {
    if (from.kind === "alias" && to.kind === "alias") {
      const key = `${from.name} ${to.name}`;
      if (assumed.has(key)) return true;
      assumed.add(key);
    }
    const [a, b] = [this.#from.unaliased(from), this.#to.unaliased(to)];
    if (a.kind === "list" && b.kind === "list" && !isBytes(a) && !isBytes(b))
      return this.#areConvertible(a.element, b.element, assumed);
    if (a.kind === "map" && b.kind === "map")
      return this.#areSameKeys(a.key, b.key) && this.#areConvertible(a.value, b.value, assumed);
    if (a.kind === "list" || a.kind === "map" || b.kind === "list" || b.kind === "map")
      return isBytes(a) && isBytes(b);
    return (
      this.#convert({ type: from, constraints: unconstrained }, { type: to, constraints: unconstrained }) !==
      undefined
    );
  }
}

/** Whether each case of a union sets the fields of a case of the other version's union. */
function fitsUnion(
  from: Union,
  to: Union,
  sourceOf: (field: PlannedField) => PlannedField | undefined,
): boolean {
  const sourcesOf = (fields: readonly PlannedField[]): readonly PlannedField[] =>
    fields.flatMap((field) => sourceOf(field) ?? []);
  const isKept = (field: PlannedField): boolean => from.members.includes(field);
  if (from.kind !== (to.kind && sourceOf(to.kind)) || !sourcesOf(to.members).every(isKept)) return false;
  const fits = (given: UnionCase, wanted: UnionCase): boolean => {
    const excluded = sourcesOf(excludedBy(wanted, to));
    return (
      given.kind?.wire === wanted.kind?.wire &&
      wanted.required.every((field) => given.required.some((one) => one === sourceOf(field))) &&
      ![...given.required, ...given.optional].some((field) => excluded.includes(field))
    );
  };
  return from.cases.every((given) => to.cases.some((wanted) => fits(given, wanted)));
}

/** Whether a copy of the other version's value has the field under its name. A null that means absent has to go. */
export function keepsName({ name, source, keepsNull }: FieldStep): boolean {
  return source?.name === name && (source.presence !== "omittable" || keepsNull);
}

interface Constrained {
  readonly type: ResolvedType;
  readonly constraints: Constraints;
}

function itemOf(type: ResolvedType, types: TypeFinder): Constrained {
  return { type, constraints: type.kind === "alias" ? types.alias(type.name).constraints : unconstrained };
}

function aliased({ type, constraints }: PlannedAlias): Constrained {
  return { type, constraints };
}

function ruled(
  { type, constraints }: Constrained,
  types: TypeFinder,
): { type: UnaliasedType; constraints: Constraints } {
  return { type: types.unaliased(type), constraints };
}

function missingValues(from: PlannedEnum, to: PlannedEnum): readonly string[] {
  const known = new Set(to.values.map(({ wire }) => wire));
  return from.values.map(({ wire }) => wire).filter((wire) => !known.has(wire));
}

/** Returns how a file of the other version gets its value. */
function fileStep(pair: MutablePair, to: PlannedFile, files: readonly PlannedFile[]): FieldStep {
  const { name, optional, isList } = to;
  const from = files.find((file) => file.name === name && file.isList === isList);
  // Handlers always receive a list of files, which may be empty.
  const none: Absent = isList ? { kind: "default", value: [], isDate: false } : { kind: "omit" };
  const isOptional = optional || isList;
  const step = {
    name,
    isOptional: optional && !isList,
    keepsNull: false,
    absent: isOptional ? none : custom,
  };
  if (from === undefined) {
    if (!isOptional) pair.isCustom = pair.needsCheck = true;
    pair.isSame = false;
    return step;
  }
  const presence = from.optional && !from.isList ? "optional" : "always";
  if (presence === "optional" && !isOptional) {
    pair.isCustom = true;
    pair.isSame = false;
  }
  return { ...step, source: { name, presence, conversion: same } };
}

/* Which fields may be absent, and what they get without a value. */

const custom: Absent = { kind: "custom" };

/** Handlers receive requests with their defaults. Only responses have null for an absent field. */
function presenceOf({ optional, nullable, default: value }: PlannedField, direction: Direction): Presence {
  if (value !== undefined && direction === "up") return "always";
  if (nullable) return direction === "up" ? "omittable" : "nullable";
  return optional ? "optional" : "always";
}

/** A field without a value gets its default, even in a response that old clients expect to have it. */
function absentOf(
  field: PlannedField,
  presence: Presence,
  direction: Direction,
  types: TypeFinder,
  plan: Plan,
): Absent {
  if (field.default !== undefined && (direction === "up" || presence === "always")) {
    const type = types.unaliased(field.type);
    const isDate = type.kind === "core" && coreTypeText(type.name, plan) === "Date";
    const value = completeDefault(field.default, field.type, types, plan);
    return value === undefined ? custom : { kind: "default", value, isDate };
  }
  if (presence === "optional" || presence === "omittable") return { kind: "omit" };
  return presence === "nullable" ? { kind: "null" } : custom;
}

/**
 * Returns a default as handlers receive it: with the defaults of its own fields. Undefined if a part of it is not JSON in
 * TypeScript, such as a Date.
 */
function completeDefault(
  value: Json | bigint,
  type: ResolvedType,
  types: TypeFinder,
  forms: ValueForms,
): Json | bigint | undefined {
  if (typeof value === "bigint" || typeof value !== "object" || value === null) return value;
  const complete = (json: Json, of: ResolvedType): Json | undefined => {
    const resolved = types.unaliased(of);
    switch (resolved.kind) {
      case "core":
        return ["Date", "bigint"].includes(coreTypeText(resolved.name, forms)) ? undefined : json;
      case "list":
        if (isBytes(resolved)) return json;
        return all(json as readonly Json[], (item) => complete(item, resolved.element));
      case "map":
        return allOf(json as JsonObject, (item) => complete(item, resolved.value));
      case "struct": {
        const given = json as JsonObject;
        const fields = types
          .struct(resolved.name)
          .fields.flatMap(({ wireName, default: own, type: fieldType }) => {
            const field = given[wireName] ?? own;
            return field === undefined ? [] : [[wireName, field, fieldType] as const];
          });
        const completed = fields.map(([name, field, fieldType]) => [
          name,
          typeof field === "bigint" ? undefined : complete(field, fieldType),
        ]);
        return completed.some(([, field]) => field === undefined)
          ? undefined
          : (Object.fromEntries(completed) as Json);
      }
      default:
        return json;
    }
  };
  return complete(value, type);
}

type JsonObject = Readonly<Record<string, Json>>;

function all(list: readonly Json[], complete: (item: Json) => Json | undefined): Json | undefined {
  const items = list.map(complete);
  return items.some((item) => item === undefined) ? undefined : (items as Json);
}

function allOf(map: JsonObject, complete: (item: Json) => Json | undefined): Json | undefined {
  const entries = Object.entries(map).map(([key, item]) => [key, complete(item)]);
  return entries.some(([, item]) => item === undefined) ? undefined : (Object.fromEntries(entries) as Json);
}

type CoreReference = Extract<UnaliasedType, { readonly kind: "core" }>;

/** Returns the conversion between two core types. Undefined if there is none. */
function coreConversion(
  from: CoreReference,
  to: CoreReference,
  normalize: Constraints["normalize"],
  [given, wanted]: readonly [string, string],
): Conversion | undefined {
  const [a, b] = [coreTypes[from.name], coreTypes[to.name]];
  if (a.kind !== b.kind && !(isNumber(a.kind) && isNumber(b.kind))) return undefined;
  // A fraction has no place in an integer.
  if (a.kind === "float" && b.kind !== "float") return undefined;
  if (a.kind === "formatted" && from.name !== to.name) return undefined;
  if (normalize === "lowercase") return { kind: "lowercase" };
  if (given === wanted) return same;
  // A float does not hold every 64-bit integer.
  if (given === "bigint") return b.kind === "float" ? undefined : { kind: "number" };
  return wanted === "bigint" ? { kind: "bigint" } : same;
}

/** Whether a rule converts values of a core type to another, although some may not fit. */
export function hasCoreConversion(from: CoreType, to: CoreType): boolean {
  const texts = ["same", "same"] as const;
  return (
    coreConversion({ kind: "core", name: from }, { kind: "core", name: to }, undefined, texts) !== undefined
  );
}

function isNumber(kind: string): boolean {
  return kind === "integer" || kind === "float" || kind === "bigint";
}

/* Whether the values of one version are valid in another. */

interface RuledType {
  readonly type: UnaliasedType;
  readonly constraints: Constraints;
}

type Bound = number | bigint | undefined;

/** Whether the rules of a type allow all values of another type of the same kind. Ignores the parts of lists and maps. */
function allowsAll(to: RuledType, from: RuledType, forms: ValueForms): boolean {
  const [wide, narrow] = [to.constraints, from.constraints];
  return (
    (wide.pattern === undefined || wide.pattern === narrow.pattern) &&
    (checkedFormat(wide.format) === undefined || wide.format === narrow.format) &&
    (wide.normalize === undefined || wide.normalize === narrow.normalize) &&
    isWithin(narrow.minLength, narrow.maxLength, wide.minLength, wide.maxLength) &&
    isWithin(narrow.minItems, narrow.maxItems, wide.minItems, wide.maxItems) &&
    isWithin(...rangeOf(from, forms), ...rangeOf(to, forms))
  );
}

function isWithin(low: Bound, high: Bound, min: Bound, max: Bound): boolean {
  return (
    (min === undefined || (low !== undefined && low >= min)) &&
    (max === undefined || (high !== undefined && high <= max))
  );
}

/** Intersects the range of a number type with its constraints. */
function rangeOf(
  { type, constraints: { minimum, maximum } }: RuledType,
  forms: ValueForms,
): readonly [Bound, Bound] {
  const [low, high] = typeRange(type, forms);
  return [
    low === undefined || (minimum !== undefined && minimum > low) ? minimum : low,
    high === undefined || (maximum !== undefined && maximum < high) ? maximum : high,
  ];
}

function typeRange(type: UnaliasedType, forms: ValueForms): readonly [Bound, Bound] {
  if (type.kind !== "core") return [undefined, undefined];
  const core = coreTypes[type.name];
  if (core.kind === "float") return [-core.max, core.max];
  if (core.kind !== "integer") return [undefined, undefined];
  const { low, high } = bigintRange(core, forms.int64) ?? core.range;
  return [low, high];
}

/* A pair of types whose properties are found one by one. */

interface MutablePair extends TypePair {
  parts: PairParts;
  isSame: boolean;
  needsCheck: boolean;
  isCustom: boolean;
  /** The pairs that contain this one. */
  readonly holders: Set<MutablePair>;
}

/** Gives a property that some pairs have to all pairs that contain them. */
function spread(
  all: readonly MutablePair[],
  name: "isSame" | "needsCheck" | "isCustom",
  value: boolean,
): void {
  const open = all.filter((pair) => pair[name] === value);
  for (let pair = open.pop(); pair !== undefined; pair = open.pop())
    for (const holder of pair.holders) {
      if (holder[name] === value) continue;
      holder[name] = value;
      open.push(holder);
    }
}

/**
 * Returns the old name of each new field that existed before. Pairs fields by `renamedFrom`, by name, or because one
 * version accepts or writes the name of the other as `alias` or `twin`.
 */
function pairFields(
  before: readonly PlannedField[],
  after: readonly PlannedField[],
): ReadonlyMap<string, string> {
  const old = new Map(before.map((field) => [field.wireName, field]));
  const pairs = new Map<string, string>();
  const taken = new Set<string>();
  const pair = (field: PlannedField, name: string | undefined): void => {
    if (name === undefined || pairs.has(field.wireName) || taken.has(name) || !old.has(name)) return;
    pairs.set(field.wireName, name);
    taken.add(name);
  };
  for (const field of after) if (!old.has(field.wireName)) pair(field, field.constraints.renamedFrom);
  for (const field of after) pair(field, field.wireName);
  for (const field of after)
    for (const name of [...field.aliases, ...field.twins, ...namesOfOld(before, field)]) pair(field, name);
  return pairs;
}

function namesOfOld(before: readonly PlannedField[], { wireName }: PlannedField): readonly string[] {
  const others = before.filter(
    ({ aliases, twins }) => aliases.includes(wireName) || twins.includes(wireName),
  );
  return others.map((field) => field.wireName);
}
