/** How values of one version become values of the next version, or of the one before. */
import { coreTypes } from "../../../language/model/core-types/index.ts";
import { type Constraints, unconstrained } from "../../../language/model/meta/read.ts";
import { isBytes, type MapKeyType, type ResolvedType } from "../../../language/model/types.ts";
import type { Json } from "../json.ts";
import { claimName, withoutEscape } from "../names.ts";
import type { Plan, PlannedAlias, PlannedEnum, PlannedField, PlannedFile, PlannedStruct } from "../plan.ts";
import { TypeFinder, type UnaliasedType } from "../type-finder.ts";
import { coreTypeText } from "../value-forms.ts";
import { completeDefault } from "./complete-default.ts";
import { pairFields } from "./pairs.ts";
import { allowsAll } from "./rules.ts";

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
  /** The conversion needs a function that is written by hand. */
  readonly isWritten: boolean;
}

export type PairParts =
  | { readonly kind: "struct"; readonly fields: readonly FieldStep[] }
  /** `missing`: values that the other version lacks. */
  | { readonly kind: "enum"; readonly missing: readonly string[] }
  | { readonly kind: "alias"; readonly target: Conversion };

/** How a field, or a file, of the other version gets its value. */
export interface FieldStep {
  /** Name on the wire, and key in TypeScript. */
  readonly name: string;
  readonly key: string;
  /** Whether the field may be absent. */
  readonly isOptional: boolean;
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
  | { readonly kind: "omit" | "null" | "written" }
  | { readonly kind: "default"; readonly value: Json | bigint; readonly isDate: boolean };

/** Whether a field always has a value, may be absent, or is null without one. */
export type Presence = "always" | "optional" | "nullable";

interface MutablePair extends TypePair {
  parts: PairParts;
  isSame: boolean;
  needsCheck: boolean;
  isWritten: boolean;
  readonly holders: Set<MutablePair>;
}

const same: Conversion = { kind: "same" };

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
    this.#from = new TypeFinder(from);
    this.#to = new TypeFinder(to);
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
    spread(
      all,
      ({ isSame }) => !isSame,
      (pair) => {
        pair.isSame = false;
      },
    );
    spread(
      all,
      ({ needsCheck }) => needsCheck,
      (pair) => {
        pair.needsCheck = true;
      },
    );
    spread(
      all,
      ({ isWritten }) => isWritten,
      (pair) => {
        pair.isWritten = true;
      },
    );
    return all;
  }

  #pair(kind: PairParts["kind"], from: string, to: string): MutablePair {
    const key = `${kind} ${from} ${to}`;
    let pair = this.#pairs.get(key);
    if (pair === undefined) {
      const old = this.direction === "up" ? from : to;
      const name = claimName(`${this.direction}${withoutEscape(old)}`, this.#names);
      const parts: PairParts = { kind: "struct", fields: [] };
      pair = { name, from, to, parts, isSame: true, needsCheck: false, isWritten: false, holders: new Set() };
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
          fields: this.#fields(pair, this.#from.struct(from), this.#to.struct(to)),
        };
        return;
      }
      case "enum": {
        const missing = missingValues(this.#from.enum(from), this.#to.enum(to));
        pair.parts = { kind: "enum", missing };
        if (missing.length === 0) return;
        pair.isSame = false;
        pair.isWritten = true;
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

  #fields(pair: MutablePair, from: PlannedStruct, to: PlannedStruct): readonly FieldStep[] {
    const [before, after] = this.direction === "up" ? [from, to] : [to, from];
    const oldNames = pairFields(before.fields, after.fields);
    const sourceNames =
      this.direction === "up" ? oldNames : new Map([...oldNames].map(([now, then]) => [then, now]));
    const byName = new Map(from.fields.map((field) => [field.wireName, field]));
    const fields = to.fields.map((field) => {
      const source = byName.get(sourceNames.get(field.wireName) ?? "");
      return this.#field(pair, field, source);
    });
    const files = (to.files ?? []).map((file) => fileStep(pair, file, from.files ?? []));
    const kept = new Set([...fields, ...files].flatMap(({ source }) => source?.name ?? []));
    const all = [
      ...from.fields.map(({ wireName }) => wireName),
      ...(from.files ?? []).map(({ name }) => name),
    ];
    if (all.some((name) => !kept.has(name))) pair.isSame = false;
    return [...fields, ...files];
  }

  #field(pair: MutablePair, to: PlannedField, from: PlannedField | undefined): FieldStep {
    const { wireName: name, key } = to;
    const conversion = from && this.#convert(from, to);
    const presence = presenceOf(to, this.direction);
    const absent = conversion === undefined && from !== undefined ? written : this.#absent(to, presence);
    const step = { name, key, isOptional: presence === "optional", absent };
    if (from === undefined || conversion === undefined) {
      if (absent.kind !== "omit") pair.isSame = false;
      if (absent.kind === "written") pair.isWritten = pair.needsCheck = true;
      return step;
    }
    const given = presenceOf(from, this.direction);
    if (!allowsAll(ruled(to, this.#to), ruled(from, this.#from), this.to)) pair.needsCheck = true;
    if (given !== "always" && given !== presence) {
      pair.isSame = false;
      if (absent.kind === "written") pair.isWritten = pair.needsCheck = true;
    }
    if (from.wireName !== name || !(conversion.kind === "pair" || isSameConversion(conversion)))
      pair.isSame = false;
    return { ...step, source: { name: from.wireName, presence: given, conversion } };
  }

  /** A field without a value gets its default, even in a response that old clients expect to have it. */
  #absent(field: PlannedField, presence: Presence): Absent {
    if (field.default !== undefined && (this.direction === "up" || presence === "always")) {
      const type = this.#to.unaliased(field.type);
      const isDate = type.kind === "core" && coreTypeText(type.name, this.to) === "Date";
      const value = completeDefault(field.default, field.type, this.#to, this.to);
      return value === undefined ? written : { kind: "default", value, isDate };
    }
    if (presence === "optional") return { kind: "omit" };
    return presence === "nullable" ? { kind: "null" } : written;
  }

  /** Returns how a value is converted. Undefined if the types have nothing in common. */
  #convert(from: Constrained, to: Constrained): Conversion | undefined {
    const [a, b] = [this.#from.unaliased(from.type), this.#to.unaliased(to.type)];
    if (isBytes(a) || isBytes(b)) return isBytes(a) && isBytes(b) ? same : undefined;
    if (a.kind === "struct" || a.kind === "enum")
      return a.kind === b.kind ? { kind: "pair", pair: this.#pair(a.kind, a.name, b.name) } : undefined;
    if (a.kind === "core") return b.kind === "core" ? this.#core(a, b, to.constraints) : undefined;
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

  #core(from: CoreReference, to: CoreReference, { normalize }: Constraints): Conversion | undefined {
    const [a, b] = [coreTypes[from.name], coreTypes[to.name]];
    if (a.kind !== b.kind && !(isNumber(a.kind) && isNumber(b.kind))) return undefined;
    // A fraction has no place in an integer.
    if (a.kind === "float" && b.kind !== "float") return undefined;
    if (a.kind === "formatted" && from.name !== to.name) return undefined;
    if (normalize === "lowercase") return { kind: "lowercase" };
    const [given, wanted] = [coreTypeText(from.name, this.from), coreTypeText(to.name, this.to)];
    if (given === wanted) return same;
    // A float does not hold every 64-bit integer.
    if (given === "bigint") return b.kind === "float" ? undefined : { kind: "number" };
    return wanted === "bigint" ? { kind: "bigint" } : same;
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

interface Constrained {
  readonly type: ResolvedType;
  readonly constraints: Constraints;
}

type CoreReference = Extract<UnaliasedType, { readonly kind: "core" }>;

const written: Absent = { kind: "written" };

function isNumber(kind: string): boolean {
  return kind === "integer" || kind === "float" || kind === "bigint";
}

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

/** Handlers receive requests with their defaults. */
function presenceOf({ optional, nullable, default: value }: PlannedField, direction: Direction): Presence {
  if (value !== undefined && direction === "up") return "always";
  return nullable ? "nullable" : optional ? "optional" : "always";
}

function fileStep(pair: MutablePair, to: PlannedFile, files: readonly PlannedFile[]): FieldStep {
  const { name, key, optional, isList } = to;
  const from = files.find((file) => file.name === name && file.isList === isList);
  // Handlers always receive a list of files, which may be empty.
  const none: Absent = isList ? { kind: "default", value: [], isDate: false } : { kind: "omit" };
  const isOptional = optional || isList;
  const step = { name, key, isOptional: optional && !isList, absent: isOptional ? none : written };
  if (from === undefined) {
    if (!isOptional) pair.isWritten = pair.needsCheck = true;
    pair.isSame = false;
    return step;
  }
  const presence = from.optional && !from.isList ? "optional" : "always";
  if (presence === "optional" && !isOptional) {
    pair.isWritten = true;
    pair.isSame = false;
  }
  return { ...step, source: { name, presence, conversion: same } };
}

/** Changes the pairs that a condition holds for, and all pairs that contain one of them. */
function spread(
  all: readonly MutablePair[],
  starts: (pair: MutablePair) => boolean,
  change: (pair: MutablePair) => void,
): void {
  const open = all.filter(starts);
  const seen = new Set(open);
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    change(pair);
    for (const holder of pair.holders) {
      if (seen.has(holder)) continue;
      seen.add(holder);
      open.push(holder);
    }
  }
}
